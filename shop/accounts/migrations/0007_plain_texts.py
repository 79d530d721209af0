from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0006_hashed_session_keys'),
    ]

    operations = [
        migrations.AlterField(
            model_name='apitoken',
            name='session_hash',
            field=models.CharField(help_text='Hash of the password at sign-in; a new password signs this out.', max_length=128),
        ),
        migrations.AlterField(
            model_name='code',
            name='address',
            field=models.CharField(help_text='Normalised email address or mobile number.', max_length=254),
        ),
        migrations.AlterField(
            model_name='code',
            name='browser',
            field=models.CharField(blank=True, default='', help_text="Hash of the browser's secret.", max_length=64),
        ),
        migrations.AlterField(
            model_name='consent',
            name='version',
            field=models.CharField(help_text='Version of the privacy policy.', max_length=40),
        ),
        migrations.AlterField(
            model_name='customer',
            name='deleted_at',
            field=models.DateTimeField(blank=True, help_text='When the account was deleted. Its orders are kept.', null=True),
        ),
        migrations.AlterField(
            model_name='customer',
            name='phone',
            field=models.CharField(blank=True, help_text='With country code: +919876543210', max_length=16, null=True, unique=True),
        ),
        migrations.AlterField(
            model_name='pointsentry',
            name='expires_at',
            field=models.DateTimeField(blank=True, help_text='When earned points expire.', null=True),
        ),
        migrations.AlterField(
            model_name='pointsentry',
            name='key',
            field=models.CharField(help_text='Identifies the event, so that it counts only once.', max_length=80, unique=True),
        ),
        migrations.AlterField(
            model_name='pointsentry',
            name='kind',
            field=models.CharField(choices=[('earned', 'Earned'), ('redeemed', 'Redeemed'), ('given_back', 'Refunded'), ('taken_back', 'Reversed'), ('expired', 'Expired')], max_length=10),
        ),
        migrations.AlterField(
            model_name='pointsentry',
            name='points',
            field=models.IntegerField(help_text='Negative when points are used or expire.'),
        ),
        migrations.AlterField(
            model_name='pointsentry',
            name='reference',
            field=models.CharField(help_text='Order number.', max_length=40),
        ),
    ]
