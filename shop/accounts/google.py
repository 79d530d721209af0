"""Sign-in with Google."""

from allauth.socialaccount.adapter import DefaultSocialAccountAdapter


class SocialAdapter(DefaultSocialAccountAdapter):
    """Named by settings.SOCIALACCOUNT_ADAPTER."""
