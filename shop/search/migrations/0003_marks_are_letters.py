from django.db import migrations

COLUMNS = "name, brand, tags, ingredients, body"
# The vowel signs of Indian scripts are marks; without these categories they would cut words.
SQLITE = [
    "DROP TABLE search_words",
    f"""CREATE VIRTUAL TABLE search_words USING fts5({COLUMNS}, content='search_document', content_rowid='product_id',
        tokenize="porter unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'", prefix='1 2 3')""",
    "INSERT INTO search_words(search_words) VALUES ('rebuild')",
]


def recut(apps, schema_editor):
    if schema_editor.connection.vendor == "sqlite":
        for statement in SQLITE:
            schema_editor.execute(statement)


class Migration(migrations.Migration):
    dependencies = [("search", "0002_full_text")]
    operations = [migrations.RunPython(recut, migrations.RunPython.noop)]
