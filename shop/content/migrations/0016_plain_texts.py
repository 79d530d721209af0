import django.core.validators
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('catalog', '0014_plain_texts'),
        ('content', '0015_numbers_of_the_shop'),
    ]

    operations = [
        migrations.AlterModelOptions(
            name='faqsection',
            options={'ordering': ['position', 'id'], 'verbose_name': 'FAQ section', 'verbose_name_plural': 'FAQ sections'},
        ),
        migrations.AlterField(
            model_name='banner',
            name='background',
            field=models.CharField(default='#143d2c', help_text='Background colour behind the text, as #rrggbb.', max_length=7, validators=[django.core.validators.RegexValidator('^#[0-9a-f]{6}\\Z', 'Write the colour as #rrggbb.')]),
        ),
        migrations.AlterField(
            model_name='banner',
            name='link',
            field=models.CharField(default='/products/ayurveda/', help_text='Path on this site, such as /products/ayurveda/.', max_length=200, validators=[django.core.validators.RegexValidator('^/(?![/\\\\])\\S*\\Z', 'Write a path on this site, such as /products/ayurveda/.')]),
        ),
        migrations.AlterField(
            model_name='faq',
            name='slug',
            field=models.SlugField(help_text='Used in links to the answer: /faq/#slug.', max_length=60, unique=True),
        ),
        migrations.AlterField(
            model_name='homerow',
            name='products',
            field=models.ManyToManyField(blank=True, help_text='For a hand-picked row, in the order chosen.', related_name='+', to='catalog.product'),
        ),
        migrations.AlterField(
            model_name='homerow',
            name='text',
            field=models.TextField(blank=True, help_text='For a row of text. HTML; unsafe tags are removed.'),
        ),
        migrations.AlterField(
            model_name='page',
            name='summary',
            field=models.CharField(help_text='One sentence below the title, also shown by search engines.', max_length=200),
        ),
        migrations.AlterField(
            model_name='page',
            name='text',
            field=models.TextField(help_text='HTML: headings, paragraphs, lists and tables. Anything else is removed.'),
        ),
        migrations.AlterField(
            model_name='post',
            name='author',
            field=models.CharField(blank=True, help_text='Leave blank for the editorial team.', max_length=80),
        ),
        migrations.AlterField(
            model_name='post',
            name='is_published',
            field=models.BooleanField(default=False, help_text='Drafts are visible to staff only.'),
        ),
        migrations.AlterField(
            model_name='post',
            name='published_at',
            field=models.DateTimeField(db_index=True, default=django.utils.timezone.now, help_text='Set a future time to publish it then.', verbose_name='shown from'),
        ),
    ]
