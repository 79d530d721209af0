"""The shop's settings for clocks and workers that a test starts twice: jobs and tasks that note what they do in the
file NOTES, and a channel of messages that does. With QUICK what is left behind is taken up after seconds."""

from datetime import timedelta

from shop.settings import *  # noqa: F403
from shop.settings import INSTALLED_APPS

INSTALLED_APPS = [*INSTALLED_APPS, "shop.tests.two_of_each"]
SCHEDULED_JOBS = {
    "shop.tests.two_of_each.tasks.each_second": timedelta(seconds=1),
    "shop.tests.two_of_each.tasks.long_job": timedelta(hours=1),
    "shop.tests.two_of_each.tasks.request_long_task": timedelta(seconds=1),
}
MESSAGE_CHANNELS = {"mail": "shop.tests.two_of_each.tasks.NotingChannel"}
