import sys

from ...configuration import ServingCommand
from ...supervisor import kept_web_command, run_together


class Command(ServingCommand):
    help = "Run only the web server until stopped, for when worker, clock and migrations run elsewhere."

    def handle(self, **options: object) -> None:
        sys.exit(run_together({"web": kept_web_command()}))
