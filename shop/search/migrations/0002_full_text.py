from django.db import migrations

FIELDS = ("name", "brand", "tags", "ingredients", "body")
COLUMNS = ", ".join(FIELDS)


def _values(row):
    return ", ".join(f"{row}.{field}" for field in FIELDS)


SQLITE = [
    f"""CREATE VIRTUAL TABLE search_words USING fts5({COLUMNS}, content='search_document',
        content_rowid='product_id', tokenize='porter unicode61 remove_diacritics 2', prefix='1 2 3')""",
    f"""CREATE TRIGGER search_words_insert AFTER INSERT ON search_document BEGIN
        INSERT INTO search_words(rowid, {COLUMNS}) VALUES (new.product_id, {_values("new")}); END""",
    f"""CREATE TRIGGER search_words_delete AFTER DELETE ON search_document BEGIN
        INSERT INTO search_words(search_words, rowid, {COLUMNS}) VALUES ('delete', old.product_id, {_values("old")}); END""",
    f"""CREATE TRIGGER search_words_update AFTER UPDATE ON search_document BEGIN
        INSERT INTO search_words(search_words, rowid, {COLUMNS}) VALUES ('delete', old.product_id, {_values("old")});
        INSERT INTO search_words(rowid, {COLUMNS}) VALUES (new.product_id, {_values("new")}); END""",
]
WEIGHTS = zip(FIELDS, "ABBCD", strict=True)
VECTOR = " || ".join(f"setweight(to_tsvector('english', {field}), '{weight}')" for field, weight in WEIGHTS)
POSTGRES = [
    f"ALTER TABLE search_document ADD COLUMN words tsvector GENERATED ALWAYS AS ({VECTOR}) STORED",
    "CREATE INDEX search_document_words ON search_document USING gin (words)",
]


def create(apps, schema_editor):
    for statement in SQLITE if schema_editor.connection.vendor == "sqlite" else POSTGRES:
        schema_editor.execute(statement)


class Migration(migrations.Migration):
    dependencies = [("search", "0001_initial")]
    operations = [migrations.RunPython(create)]
