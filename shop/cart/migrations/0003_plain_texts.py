from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('cart', '0002_coupons_and_saved_lines'),
        ('markets', '0005_plain_texts'),
    ]

    operations = [
        migrations.AlterField(
            model_name='cartline',
            name='is_saved',
            field=models.BooleanField(default=False, help_text='Saved for later: listed below the cart and not ordered.'),
        ),
        migrations.AlterField(
            model_name='cartline',
            name='seen_market',
            field=models.CharField(blank=True, help_text='Market of that price, such as IN-INR.', max_length=8),
        ),
        migrations.AlterField(
            model_name='cartline',
            name='seen_price',
            field=models.DecimalField(blank=True, decimal_places=3, help_text='Price of one when it was added.', max_digits=14, null=True),
        ),
        migrations.AlterField(
            model_name='coupon',
            name='code',
            field=models.CharField(help_text='Capital letters, digits and hyphens.', max_length=40, unique=True),
        ),
        migrations.AlterField(
            model_name='coupon',
            name='customer_limit',
            field=models.PositiveIntegerField(blank=True, default=1, help_text='Uses per customer.', null=True),
        ),
        migrations.AlterField(
            model_name='coupon',
            name='description',
            field=models.CharField(blank=True, help_text='Shown to the shopper, for example: 10% off.', max_length=120),
        ),
        migrations.AlterField(
            model_name='coupon',
            name='locations',
            field=models.ManyToManyField(blank=True, help_text='Leave empty for every country.', related_name='+', to='markets.location'),
        ),
        migrations.AlterField(
            model_name='coupon',
            name='most_inr',
            field=models.DecimalField(blank=True, decimal_places=2, help_text='Highest discount that a percentage can give.', max_digits=12, null=True, verbose_name='at most (INR)'),
        ),
        migrations.AlterField(
            model_name='coupon',
            name='total_limit',
            field=models.PositiveIntegerField(blank=True, help_text='Total uses by all customers.', null=True),
        ),
        migrations.AlterField(
            model_name='coupon',
            name='uses',
            field=models.PositiveIntegerField(default=0, editable=False, help_text='Orders that used it, without cancelled ones.'),
        ),
        migrations.AlterField(
            model_name='couponuse',
            name='is_placed',
            field=models.BooleanField(default=False, help_text='If not, the order is waiting for payment.'),
        ),
        migrations.AlterField(
            model_name='couponuse',
            name='reference',
            field=models.CharField(help_text='Order number.', max_length=40, unique=True),
        ),
    ]
