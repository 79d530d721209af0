"""What allauth's passkeys and one-time passwords ask of the shop."""

from allauth.mfa.adapter import DefaultMFAAdapter


class Adapter(DefaultMFAAdapter):
    """Named by settings.MFA_ADAPTER."""
