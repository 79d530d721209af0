import django.core.validators
import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('catalog', '0013_text_ends_at_its_end'),
    ]

    operations = [
        migrations.AlterField(
            model_name='brand',
            name='is_spotlight',
            field=models.BooleanField(default=False, help_text='Show in the Brand Spotlight row.'),
        ),
        migrations.AlterField(
            model_name='bulkchange',
            name='what',
            field=models.CharField(help_text='Description of the change.', max_length=300),
        ),
        migrations.AlterField(
            model_name='category',
            name='color',
            field=models.CharField(default='#e7f0ea', help_text='Background tint, as #rrggbb.', max_length=7, validators=[django.core.validators.RegexValidator('^#[0-9a-f]{6}\\Z', 'Write the colour as #rrggbb.')]),
        ),
        migrations.AlterField(
            model_name='category',
            name='is_featured',
            field=models.BooleanField(default=False, help_text='Show a row of its products on the home page.'),
        ),
        migrations.AlterField(
            model_name='category',
            name='is_hidden',
            field=models.BooleanField(default=False, help_text='Hide this category and its subcategories from the menu, pages, filters and sitemap. Its products stay on sale; unpublish any that should not be.', verbose_name='hidden'),
        ),
        migrations.AlterField(
            model_name='category',
            name='is_unseen_while_empty',
            field=models.BooleanField(default=False, editable=False, help_text='Created by an import; shown once it has a published product.'),
        ),
        migrations.AlterField(
            model_name='category',
            name='return_days',
            field=models.PositiveSmallIntegerField(blank=True, help_text='Limits the return windows of its products. 0: not returnable. Blank: as in the parent category.', null=True),
        ),
        migrations.AlterField(
            model_name='importedchange',
            name='before',
            field=models.JSONField(default=dict, help_text='Previous values of the changed fields.'),
        ),
        migrations.AlterField(
            model_name='importedchange',
            name='kind',
            field=models.CharField(help_text='Name of the model.', max_length=20),
        ),
        migrations.AlterField(
            model_name='importedchange',
            name='left',
            field=models.CharField(blank=True, help_text='Why it was not fully undone.', max_length=300),
        ),
        migrations.AlterField(
            model_name='picture',
            name='is_complete',
            field=models.BooleanField(default=False, editable=False, help_text='All sizes have been made, including AVIF.'),
        ),
        migrations.AlterField(
            model_name='pictureaddress',
            name='added_to',
            field=models.JSONField(default=list, help_text='IDs of the variants it was added to.'),
        ),
        migrations.AlterField(
            model_name='pictureaddress',
            name='due_at',
            field=models.DateTimeField(default=django.utils.timezone.now, help_text='When to download it, or to try again.'),
        ),
        migrations.AlterField(
            model_name='pictureaddress',
            name='is_new_picture',
            field=models.BooleanField(default=False, help_text='The shop did not have this picture before.'),
        ),
        migrations.AlterField(
            model_name='pictureaddress',
            name='problem',
            field=models.CharField(blank=True, help_text='Why it failed.', max_length=300),
        ),
        migrations.AlterField(
            model_name='pictureaddress',
            name='variant',
            field=models.ForeignKey(help_text='Leave empty for every variant.', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='catalog.variant'),
        ),
        migrations.AlterField(
            model_name='product',
            name='country_of_origin',
            field=models.CharField(blank=True, help_text='Two-letter country code. Leave blank if unknown.', max_length=2),
        ),
        migrations.AlterField(
            model_name='product',
            name='handle',
            field=models.CharField(blank=True, db_index=True, help_text='Identifies the product in import files.', max_length=255),
        ),
        migrations.AlterField(
            model_name='product',
            name='is_pinned',
            field=models.BooleanField(default=False, help_text='Show first in Hot Selling.'),
        ),
        migrations.AlterField(
            model_name='product',
            name='is_prescription',
            field=models.BooleanField(default=False, help_text='Shown in the shop but cannot be bought.'),
        ),
        migrations.AlterField(
            model_name='product',
            name='maker',
            field=models.CharField(blank=True, max_length=200, verbose_name='manufacturer'),
        ),
        migrations.AlterField(
            model_name='product',
            name='popularity',
            field=models.PositiveIntegerField(default=0, editable=False, help_text='Units sold in the last 90 days.'),
        ),
        migrations.AlterField(
            model_name='product',
            name='title',
            field=models.CharField(blank=True, help_text='Longer name for the product page. Leave blank to use the name.', max_length=200),
        ),
        migrations.AlterField(
            model_name='productimport',
            name='as_drafts',
            field=models.BooleanField(default=False, help_text='Keep new products unpublished.'),
        ),
        migrations.AlterField(
            model_name='productimport',
            name='choices',
            field=models.JSONField(default=dict, help_text='For each new name, the existing record to use instead.'),
        ),
        migrations.AlterField(
            model_name='productimport',
            name='heard_at',
            field=models.DateTimeField(default=django.utils.timezone.now, help_text='Last sign of progress.'),
        ),
        migrations.AlterField(
            model_name='productimport',
            name='new_names',
            field=models.JSONField(default=list, help_text='Names that the check found to be new: kind, name, products, similar names.'),
        ),
        migrations.AlterField(
            model_name='returnreason',
            name='days',
            field=models.PositiveSmallIntegerField(help_text='Days after delivery.'),
        ),
        migrations.AlterField(
            model_name='returnreason',
            name='is_our_fault',
            field=models.BooleanField(default=True, help_text='Refund the shipping as well.'),
        ),
        migrations.AlterField(
            model_name='returnreason',
            name='is_sent_back',
            field=models.BooleanField(default=True, help_text='Untick if there is nothing to pick up, such as a missing item.'),
        ),
        migrations.AlterField(
            model_name='stockalert',
            name='email',
            field=models.EmailField(help_text='Normalised email address.', max_length=254),
        ),
        migrations.AlterField(
            model_name='stockalert',
            name='path',
            field=models.CharField(help_text='Path of the product page they were on, including the country.', max_length=300),
        ),
        migrations.AlterField(
            model_name='stockmovement',
            name='kind',
            field=models.CharField(choices=[('received', 'Received'), ('held', 'Reserved'), ('released', 'Released'), ('sold', 'Sold'), ('returned', 'Returned'), ('earlier', 'Sold earlier')], max_length=8),
        ),
        migrations.AlterField(
            model_name='variant',
            name='description',
            field=models.TextField(blank=True, help_text='HTML; unsafe tags are removed.'),
        ),
        migrations.AlterField(
            model_name='variant',
            name='ingredients',
            field=models.TextField(blank=True, help_text='Separate with commas.'),
        ),
        migrations.AlterField(
            model_name='variant',
            name='net_unit',
            field=models.CharField(blank=True, help_text='For example ml, g or tablets.', max_length=20),
        ),
    ]
