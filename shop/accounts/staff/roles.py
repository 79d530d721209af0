"""The roles of the staff, as groups with permissions; another role is another entry of GRANTS.

Permissions come into being after each app's migrations, and so do the roles' shares of them: this runs
after every migrate, adds what is missing and takes away what is WITHDRAWN. A role is given by putting a member
of staff into its group.
"""

from typing import Any

from django.apps import AppConfig
from django.contrib.auth.models import Group, Permission

CONTENT_EDITOR = "Content editor"
CATALOGUE_MANAGER = "Catalogue manager"
ORDER_DESK = "Order desk"
PHARMACIST = "Pharmacist"
OWNER = "Owner"

ALL = ("add", "change", "delete", "view")
SHOP_APPS = (
    "accounts", "care", "cart", "catalog", "chores", "company", "content", "markets", "messaging", "orders", "payments",
    "reports", "reviews", "search",
)  # fmt: skip

ORDER_MODELS = (
    "order", "orderline", "orderevent", "checkoutkey", "courier", "shipment", "shipmentline", "returnrequest",
    "returnphoto", "invoice", "invoiceseries", "ordernote",
)  # fmt: skip

REFILLS: dict[str, tuple[str, ...]] = {
    "refill": ("change", "view")
}  # reminders to buy again, which hold no prescription

# role: app: actions on all its models, or model: actions
GRANTS: dict[str, dict[str, tuple[str, ...] | dict[str, tuple[str, ...]]]] = {
    CONTENT_EDITOR: {
        "content": ALL,
        "care": {"subscription": ("view",)},
        "reviews": dict.fromkeys(("review", "question", "answer"), ("change", "view")),
        "messaging": {"messagetext": ("change", "view")},
        "catalog": {
            "picture": ("add", "change", "view"),
            "brand": ("view",),
            "category": ("view",),
            "healthconcern": ("view",),
            "product": ("view",),
        },
    },
    CATALOGUE_MANAGER: {
        "catalog": ALL,
        "search": ALL,
        "cart": {"coupon": ALL},
        "markets": {
            "servicerule": ALL,
            "location": ("view",),
            "currency": ("view",),
            "rate": ("view",),
            "slab": ("view",),
        },
    },
    ORDER_DESK: {
        "orders": dict.fromkeys(ORDER_MODELS, ("change", "view"))
        | dict.fromkeys(("courier", "orderdraft"), ("add", "change", "view"))
        | {"recall": ("view",)},
        "payments": {
            "payment": ("view",),
            "refund": ("change", "view"),
            "straycapture": ("view",),
            "providerevent": ("view",),
        },
        "care": {
            "enquiry": ("change", "view"),
            "enquiryevent": ("view",),
            "complaint": ("change", "view"),
            "complaintevent": ("view",),
            "replytemplate": ALL,
        },
        "messaging": ("view",),
        "chores": ("view",),
        "cart": {"coupon": ("view",)},
        "accounts": {
            "customer": ("view",),
            "address": ("view",),
            "customernote": ("add", "view"),
            "customertag": ("add", "delete", "view"),
        },
        "catalog": ("view",),
        "markets": ("view",),
        "pharmacy": REFILLS,
    },
    # A recall is a decision about safety, so it is the pharmacist's besides the owner's; the desk sees it, to answer
    # customers.
    PHARMACIST: {
        "pharmacy": {"orderprescription": ("change", "view"), "registerentry": ("change", "view")},
        "catalog": {"batch": ("add", "change", "view")},
        "orders": {"recall": ("add", "view")},
    },
    # All but prescriptions, which the pharmacist's role alone reads (shop/pharmacy/access.py).
    OWNER: {**dict.fromkeys(SHOP_APPS, ALL), "pharmacy": REFILLS, "admin": {"logentry": ("view",)}},
}
WITHDRAWN = {CONTENT_EDITOR: {"company"}}  # apps that a role once had


def grant_roles(app_config: AppConfig, using: str, **kwargs: Any) -> None:
    """Give each role its permissions of one app; listens to post_migrate, after Django made them."""
    permissions = [
        (permission.codename.partition("_"), permission)
        for permission in Permission.objects.using(using).filter(content_type__app_label=app_config.label)
    ]
    for role, apps in GRANTS.items():
        granted = apps.get(app_config.label)
        if app_config.label in WITHDRAWN.get(role, ()):
            for group in Group.objects.using(using).filter(name=role):
                group.permissions.remove(*[permission for _, permission in permissions])
        if not granted or not permissions:
            continue
        actions = granted if isinstance(granted, dict) else dict.fromkeys([m for (_, _, m), _ in permissions], granted)
        group, _ = Group.objects.using(using).get_or_create(name=role)
        group.permissions.add(
            *[permission for (action, _, model), permission in permissions if action in actions.get(model, ())]
        )
