import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('payments', '0006_payment_methods'),
    ]

    operations = [
        migrations.AlterField(
            model_name='lostcapture',
            name='idempotency_key',
            field=models.CharField(help_text='Key of the latest attempt.', max_length=60, unique=True),
        ),
        migrations.AlterField(
            model_name='payment',
            name='check_at',
            field=models.DateTimeField(blank=True, default=django.utils.timezone.now, help_text='When to check with the provider next.', null=True),
        ),
        migrations.AlterField(
            model_name='payment',
            name='claimed_until',
            field=models.DateTimeField(blank=True, help_text="A request is creating the provider's order; once this has passed, it got no answer.", null=True),
        ),
        migrations.AlterField(
            model_name='payment',
            name='receipt',
            field=models.CharField(help_text='Identifies this attempt to the payment provider.', max_length=40, unique=True),
        ),
        migrations.AlterField(
            model_name='providerevent',
            name='failed_at',
            field=models.DateTimeField(blank=True, help_text='Not retried since this time, after too many failures.', null=True),
        ),
        migrations.AlterField(
            model_name='providerevent',
            name='tries',
            field=models.PositiveSmallIntegerField(default=0, help_text='Failed attempts to process it.'),
        ),
        migrations.AlterField(
            model_name='refund',
            name='razorpay_payment_id',
            field=models.CharField(help_text='The payment that is refunded.', max_length=40),
        ),
        migrations.AlterField(
            model_name='refund',
            name='reference',
            field=models.CharField(blank=True, help_text='Transfer reference, if cash was refunded by bank transfer.', max_length=60),
        ),
        migrations.AlterField(
            model_name='simulatedrecord',
            name='account',
            field=models.CharField(help_text='Key ID of the provider account.', max_length=40),
        ),
        migrations.AlterField(
            model_name='simulatedrecord',
            name='parent',
            field=models.CharField(blank=True, help_text='Order of a payment, or payment of a refund.', max_length=40),
        ),
    ]
