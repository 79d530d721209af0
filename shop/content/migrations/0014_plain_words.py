"""Policies and answers say the same in plain English."""

from django.db import migrations

from ..faq.initial import renew_faq
from ..pages.initial import renew_pages

# SHA-256 of the texts before
FORMER_PAGES = {
    "about": "b75a8ea469d3f308576dc7c6c0cd7be9aff96a5b1046033e11ab15e3373231bb",
    "cancellationpolicy": "11d6becc94a9a4316fd41a652613df2005a44495d5d4acfe4e820d5b4423101b",
    "privacypolicy": "632c4f6cccc2523e5eb2996eb6877e7241550e7085cd2d11c18120a003cabf3e",
    "returnspolicy": "708e14641649721608aeef8e745570d3aa86765da6010d05201c98fbb90b2eb6",
    "shippingpolicy": "1b94b468a7d5e84387938ef1a35fc1d7bc9a3675f09cc894356e0fab67195cf5",
    "terms_conditions": "c909a58e480a7a0dbe459772bd87657cbc976a5836fdb8009faaff025a88c3cc",
}
FORMER_ANSWERS = {
    "what-we-sell": "a25c05b0d61f82dcf8350f8435dbc3ae9b981be939d23ec84da855733254130a",
    "genuine-products": "293c0bdfe4489ba6c32ed6e4bb01f6b8a8f21dc023070ee90348e0f97a5e5d8c",
    "which-remedy": "990b7f4cc07b425c390a012336021c307893e6f5479f9be10a5d8133c17398bd",
    "prescription": "7c462bf91031dd8b89203f2b8eb54f366cdf78ea4970073685b3220033ae0a8c",
    "need-an-account": "f7b1ef1a33ae211fb6b3f670008f1811931f191fe4c30fcac069645e9f6b4a3e",
    "make-an-account": "36c1306543f7285648b61ccd81142284033d02b2b1ba1aa9405c354e51e7ef07",
    "points": "e5adf22d419f182d62970fc4c964768387dac3a4e4dfad787568060d806e84d0",
    "how-to-order": "e41a5a8d239fad832738352445cc9e5049fb22a69b161e201ab8878e5f8adc76",
    "currency": "841ebb3fc3cec83f8b053f2941ee669b6192c87913f6d9bef3a7ee90c1cfb677",
    "ways-to-pay": "dbd3eb129d498b05777d5a6b0ebe44641d91270ef7626297b839b51292757d95",
    "payment-failed": "87527ab469be9b4fe5dd6a34c8e931347fdc7da4aee258a3f7e513d1bdcabeaa",
    "how-many": "d0984073c9b80cc5e12c06bc1d9fe12d593ebf2784cab0c322ba8f1989685159",
    "coupon": "6d8df2265dde2727243ff324ca1284ed45e23257cbea8d340f09d757ddc43287",
    "cancel": "8408bf282dbf3289f2d98eb036fc6cff613ffa17897d6ebdc9b0de9bffd9313b",
    "we-cancelled": "37cab13c5824c75625da70a933dda82592174dfb5e1d1c841a27d99c2827ea62",
    "where-you-deliver": "a327af96dbfa3471b33ae2c34d6c105debb542b58bc87c74935fd0d81c3cf2f3",
    "how-long": "ba0a2d7d3a6a8a573d42114d63d30235ef5d5483442eece9b1742c362beaaa69",
    "shipping-cost": "13bf0521b66ed48dfe742bc293e43cc510cd2013ac4570240f11683afd2e9c5a",
    "duties": "a9d6f54be210e4ee667cb02ed06a27252d6cc5d2b13cf4d46ddf43abf4df9c81",
    "track": "b3a35082e3451844e7804ee061f33e880b9d4a0d13369d7fe09786b0a2c7adb8",
    "return-time": "88aa27bcaa2b875b549bf9061573255c8b4ed46cf4569048d21c3222d9feba36",
    "how-to-return": "438d6b58b87d2a64ca41599e0f8b492fd99e386e494aa787e53af76b78053624",
    "refund": "70e58096032114a9eab70a286a24d0d1172dc5220dd0438b4baff46f2e1f87ee",
    "complaint": "5479b81b8dbd37dd9b26d68ac6bfd3ca743cd48cdb65d0da7fbefaee9a95f2a1",
}


def renew(apps, schema_editor):
    renew_pages(apps, FORMER_PAGES)
    renew_faq(apps, FORMER_ANSWERS)


class Migration(migrations.Migration):
    dependencies = [("content", "0013_text_ends_at_its_end")]
    operations = [migrations.RunPython(renew, migrations.RunPython.noop)]
