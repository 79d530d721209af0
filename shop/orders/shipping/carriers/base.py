"""What the shop knows of a carrier."""

from dataclasses import dataclass
from urllib.parse import quote


@dataclass(frozen=True)
class Carrier:
    name: str
    services: tuple[str, ...] = ()
    tracking_url: str = ""  # with {number} where the tracking number goes

    def clean_number(self, typed: str) -> str:
        """A tracking number as the carrier writes it. Raises Invalid (tracking_number) for what is none of its own."""
        return typed.strip()

    def tracking_link(self, number: str) -> str:
        """The carrier's page of a parcel; empty where there is none."""
        if not number or not self.tracking_url.startswith(("https://", "http://")):
            return ""
        return self.tracking_url.replace("{number}", quote(number, safe=""))
