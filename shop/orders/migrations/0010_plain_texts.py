import django.core.serializers.json
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('orders', '0009_payment_methods'),
    ]

    operations = [
        migrations.AlterField(
            model_name='checkoutkey',
            name='request_hash',
            field=models.CharField(help_text='Hash of the first request; a different request with this key is refused.', max_length=64),
        ),
        migrations.AlterField(
            model_name='courier',
            name='tracking_link',
            field=models.CharField(blank=True, help_text='Put {number} where the tracking number goes: https://…/{number}', max_length=300),
        ),
        migrations.AlterField(
            model_name='invoice',
            name='content',
            field=models.JSONField(encoder=django.core.serializers.json.DjangoJSONEncoder, help_text='Seller, buyer, lines and taxes as on that day.'),
        ),
        migrations.AlterField(
            model_name='invoice',
            name='reference',
            field=models.CharField(help_text='What is billed; each is billed once.', max_length=60, unique=True),
        ),
        migrations.AlterField(
            model_name='invoiceseries',
            name='financial_year',
            field=models.CharField(help_text='For example 26-27.', max_length=5),
        ),
        migrations.AlterField(
            model_name='order',
            name='address',
            field=models.JSONField(encoder=django.core.serializers.json.DjangoJSONEncoder, help_text='Copy of the delivery address.'),
        ),
        migrations.AlterField(
            model_name='order',
            name='address_id_then',
            field=models.BigIntegerField(help_text='ID of the address it was copied from.'),
        ),
        migrations.AlterField(
            model_name='order',
            name='currency',
            field=models.CharField(help_text='Currency shown to the customer.', max_length=3),
        ),
        migrations.AlterField(
            model_name='order',
            name='delivered_at',
            field=models.DateTimeField(blank=True, help_text='When the last parcel arrived.', null=True),
        ),
        migrations.AlterField(
            model_name='order',
            name='hold_expires_at',
            field=models.DateTimeField(blank=True, help_text='Stock is reserved until then, while the order is unpaid.', null=True),
        ),
        migrations.AlterField(
            model_name='order',
            name='number',
            field=models.CharField(editable=False, help_text='ORD- followed by nine letters or digits.', max_length=13, unique=True),
        ),
        migrations.AlterField(
            model_name='order',
            name='points_used',
            field=models.PositiveIntegerField(default=0, help_text='Loyalty points redeemed.'),
        ),
        migrations.AlterField(
            model_name='order',
            name='rate',
            field=models.DecimalField(decimal_places=10, help_text='INR per unit of the currency.', max_digits=20),
        ),
        migrations.AlterField(
            model_name='order',
            name='total_inr',
            field=models.DecimalField(decimal_places=2, help_text='Sum of the INR amounts.', max_digits=14),
        ),
        migrations.AlterField(
            model_name='orderline',
            name='fixed_price',
            field=models.DecimalField(blank=True, decimal_places=3, help_text='Fixed price for the country, if there was one.', max_digits=12, null=True),
        ),
        migrations.AlterField(
            model_name='orderline',
            name='home_rate',
            field=models.DecimalField(decimal_places=10, default=1, help_text="Exchange rate of the fixed price's currency.", max_digits=20),
        ),
        migrations.AlterField(
            model_name='orderline',
            name='list_price_inr',
            field=models.DecimalField(decimal_places=2, help_text='INR price of the variant before conversion.', max_digits=12),
        ),
        migrations.AlterField(
            model_name='orderline',
            name='points_used',
            field=models.PositiveIntegerField(default=0, help_text='Share of the points redeemed on the order.'),
        ),
        migrations.AlterField(
            model_name='orderline',
            name='reduction_amt',
            field=models.DecimalField(decimal_places=3, default=0, help_text='Share of the coupon and points discount.', max_digits=14),
        ),
        migrations.AlterField(
            model_name='orderline',
            name='return_days',
            field=models.PositiveSmallIntegerField(blank=True, help_text='Return days allowed by its category.', null=True),
        ),
        migrations.AlterField(
            model_name='orderline',
            name='unit_amount',
            field=models.DecimalField(decimal_places=3, help_text='In the order currency.', max_digits=14),
        ),
        migrations.AlterField(
            model_name='ordernote',
            name='key',
            field=models.CharField(help_text='Identifies the form, so that it is saved only once.', max_length=80, unique=True),
        ),
        migrations.AlterField(
            model_name='returnrequest',
            name='decision',
            field=models.CharField(blank=True, help_text='Message to the customer about the decision.', max_length=300),
        ),
        migrations.AlterField(
            model_name='returnrequest',
            name='is_restocked',
            field=models.BooleanField(default=False, help_text='The units were put back into stock.'),
        ),
        migrations.AlterField(
            model_name='returnrequest',
            name='refund_inr',
            field=models.DecimalField(blank=True, decimal_places=2, help_text='Amount to refund, due since the return arrived.', max_digits=14, null=True),
        ),
        migrations.AlterField(
            model_name='returnrequest',
            name='with_shipping',
            field=models.BooleanField(default=False, help_text='Our fault: refund the shipping as well.'),
        ),
        migrations.AlterField(
            model_name='shipment',
            name='is_replacement',
            field=models.BooleanField(default=False, help_text='Replaces returned units.'),
        ),
        migrations.AlterField(
            model_name='shipment',
            name='refused_at',
            field=models.DateTimeField(blank=True, help_text='Refused on delivery.', null=True),
        ),
        migrations.AlterField(
            model_name='shipment',
            name='return_request',
            field=models.ForeignKey(blank=True, help_text='The return that this replaces.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='replacements', to='orders.returnrequest'),
        ),
    ]
