from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('messaging', '0003_message_request'),
    ]

    operations = [
        migrations.AlterField(
            model_name='message',
            name='channel',
            field=models.CharField(choices=[('mail', 'Email'), ('sms', 'SMS')], max_length=4),
        ),
        migrations.AlterField(
            model_name='message',
            name='gone_stale_at',
            field=models.DateTimeField(blank=True, help_text='Not sent after this time, for example when a code has expired.', null=True),
        ),
        migrations.AlterField(
            model_name='message',
            name='headers',
            field=models.JSONField(blank=True, default=dict, help_text='Extra email headers, by name.'),
        ),
        migrations.AlterField(
            model_name='message',
            name='key',
            field=models.CharField(blank=True, help_text='A second message with the same key is not created.', max_length=120, null=True, unique=True),
        ),
        migrations.AlterField(
            model_name='message',
            name='kind',
            field=models.CharField(help_text='Type of message, such as order_placed or sign_up_code.', max_length=40),
        ),
        migrations.AlterField(
            model_name='message',
            name='request_id',
            field=models.CharField(blank=True, help_text='ID of the request that created it.', max_length=32),
        ),
    ]
