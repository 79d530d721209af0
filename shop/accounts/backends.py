from django.contrib.auth.backends import ModelBackend


class EmailOrMobileBackend(ModelBackend):
    """Sign-in by e-mail or mobile."""
