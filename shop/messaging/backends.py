from django.core.mail.backends.filebased import EmailBackend


class FileBackend(EmailBackend):
    """Mails as files in $SHOP_DATA_DIR/mail/ while no SMTP server is configured."""
