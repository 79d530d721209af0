"""The shop's settings with a watch on its codes, for a shop that a test serves."""

from shop.settings import *  # noqa: F403
from shop.settings import INSTALLED_APPS

INSTALLED_APPS = [*INSTALLED_APPS, "shop.tests.guess_watch"]
