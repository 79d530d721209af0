"""Who can sign in to the demo; printed by `make serve`. They exist in demo mode only."""

from dataclasses import dataclass

from shop.accounts.staff.roles import CATALOGUE_MANAGER, CONTENT_EDITOR, ORDER_DESK, OWNER, PHARMACIST


@dataclass(frozen=True, slots=True)
class Login:
    role: str
    name: str
    email: str
    password: str


CUSTOMER = Login("Customer", "Asha Rao", "asha@example.com", "amla-and-honey")
STAFF = (
    Login(CONTENT_EDITOR, "Editor", "editor@example.com", "banners-and-rows"),
    Login(CATALOGUE_MANAGER, "Catalogue", "catalogue@example.com", "jars-and-labels"),
    Login(ORDER_DESK, "Order desk", "orders@example.com", "boxes-and-string"),
    Login(PHARMACIST, "Pharmacist", "pharmacist@example.com", "scripts-and-scales"),
    Login(OWNER, "Owner", "owner@example.com", "keys-to-the-shop"),
)
