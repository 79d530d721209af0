"""PostgreSQL finds a word within a product's name by a trigram index, which the lists of the back office search by.

The extension comes with PostgreSQL. Where the shop's role may not create it, those searches read every name, as before.
"""

import logging

from django.db import DatabaseError, migrations, transaction

logger = logging.getLogger(__name__)
# As Django writes `name__icontains`.
INDEX = "CREATE INDEX product_words_within_name ON catalog_product USING gin (upper(name::text) gin_trgm_ops)"


def create(apps, schema_editor):
    connection = schema_editor.connection
    if connection.vendor != "postgresql":
        return
    try:
        with transaction.atomic(connection.alias), connection.cursor() as cursor:
            cursor.execute("CREATE EXTENSION IF NOT EXISTS pg_trgm")
    except DatabaseError as refusal:
        logger.warning("no index of words within names: %s", refusal)
        return
    schema_editor.execute(INDEX)


def remove(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("DROP INDEX IF EXISTS product_words_within_name")


class Migration(migrations.Migration):
    dependencies = [("catalog", "0028_picture_digest")]
    operations = [migrations.RunPython(create, remove)]
