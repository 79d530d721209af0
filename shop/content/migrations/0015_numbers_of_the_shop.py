"""Texts take the length of a code and the points rate from the shop (pages/placeholders.py)."""

from django.db import migrations

from ..faq.initial import renew_faq
from ..pages.initial import renew_pages

# SHA-256 of the texts before
FORMER_PAGES = {"terms_conditions": "98f7f74c107172931eec72325194616c9c5882894603ec99e7ed2d77f784b3ca"}
FORMER_ANSWERS = {
    "make-an-account": "a5af27df03eaebfbb4fbf6f851d9b1ed955d5b8a7aa2341303d62e68b982bef8",
    "points": "b1b93c616b15229d6b00904d75ed5b66574229b270372129d28ebc515cbe849f",
}


def renew(apps, schema_editor):
    renew_pages(apps, FORMER_PAGES)
    renew_faq(apps, FORMER_ANSWERS)


class Migration(migrations.Migration):
    dependencies = [("content", "0014_plain_words")]
    operations = [migrations.RunPython(renew, migrations.RunPython.noop)]
