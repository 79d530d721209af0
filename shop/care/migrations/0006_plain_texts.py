import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('care', '0005_complaint_location'),
        ('markets', '0005_plain_texts'),
    ]

    operations = [
        migrations.AlterModelOptions(
            name='subscription',
            options={'ordering': ['-asked_at', '-id'], 'verbose_name': 'newsletter subscriber'},
        ),
        migrations.AlterField(
            model_name='complaint',
            name='created_at',
            field=models.DateTimeField(default=django.utils.timezone.now, verbose_name='received'),
        ),
        migrations.AlterField(
            model_name='complaint',
            name='email',
            field=models.EmailField(max_length=254),
        ),
        migrations.AlterField(
            model_name='complaint',
            name='location',
            field=models.ForeignKey(blank=True, help_text="Times are shown in this country's time zone.", null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='markets.location'),
        ),
        migrations.AlterField(
            model_name='complaintevent',
            name='state',
            field=models.CharField(choices=[('received', 'Received'), ('acknowledged', 'Acknowledged'), ('resolved', 'Resolved')], max_length=12, verbose_name='new status'),
        ),
        migrations.AlterField(
            model_name='enquiry',
            name='created_at',
            field=models.DateTimeField(default=django.utils.timezone.now, verbose_name='received'),
        ),
        migrations.AlterField(
            model_name='enquiry',
            name='email',
            field=models.EmailField(max_length=254),
        ),
        migrations.AlterField(
            model_name='enquiryevent',
            name='state',
            field=models.CharField(choices=[('new', 'New'), ('answered', 'Answered'), ('closed', 'Closed')], max_length=8, verbose_name='new status'),
        ),
        migrations.AlterField(
            model_name='subscription',
            name='email',
            field=models.EmailField(max_length=254),
        ),
    ]
