import sys

from ...configuration import ServingCommand
from ...supervisor import kept_web_command, run_together


class Command(ServingCommand):
    help = "Run the web server alone, until told to stop: where worker, clock and migrations run elsewhere."

    def handle(self, **options) -> None:
        sys.exit(run_together({"web": kept_web_command()}))
