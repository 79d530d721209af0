"""A plain django-oscar shop, set up as its documentation says. Forms need no token, as the loader keeps no cookies.

Runs under a Python that has it (peer.py); `python -m shop.bench.oscar.site 10000` fills it.
"""

import os
import random
import sys
from decimal import Decimal
from pathlib import Path

import oscar.defaults
from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.core.wsgi import get_wsgi_application
from django.urls import include, path

DATA = Path(os.environ["OSCAR_DATA"])
PARTS = [
    "analytics", "checkout", "address", "shipping", "catalogue", "catalogue.reviews", "communication", "partner",
    "basket", "payment", "offer", "order", "customer", "search", "voucher", "wishlists", "dashboard",
]  # fmt: skip
DASHBOARD = [
    "reports", "users", "orders", "catalogue", "offers", "partners", "pages", "ranges", "reviews", "vouchers",
    "communications", "shipping",
]  # fmt: skip
CATEGORIES = 12

settings.configure(
    **{name: getattr(oscar.defaults, name) for name in dir(oscar.defaults) if name.startswith("OSCAR_")}
    | {"OSCAR_DEFAULT_CURRENCY": "INR", "OSCAR_PRODUCTS_PER_PAGE": 12},
    SECRET_KEY="of no worth",
    ALLOWED_HOSTS=["127.0.0.1"],
    ROOT_URLCONF=__name__,
    USE_TZ=True,
    SITE_ID=1,
    STATIC_URL="/static/",
    MEDIA_ROOT=DATA / "media",
    DATABASES={
        "default": {"ENGINE": "django.db.backends.sqlite3", "NAME": DATA / "oscar.sqlite3", "ATOMIC_REQUESTS": True}
    },
    DEFAULT_AUTO_FIELD="django.db.models.AutoField",
    HAYSTACK_CONNECTIONS={"default": {"ENGINE": "shop.bench.oscar.free_search.FreeEngine"}},
    INSTALLED_APPS=[
        "django.contrib.admin",
        "django.contrib.auth",
        "django.contrib.contenttypes",
        "django.contrib.sessions",
        "django.contrib.messages",
        "django.contrib.staticfiles",
        "django.contrib.sites",
        "django.contrib.flatpages",
        "oscar.config.Shop",
        *(f"oscar.apps.{name}.apps.{name.title().replace('.', '')}Config" for name in PARTS),
        *(f"oscar.apps.dashboard.{name}.apps.{name.title()}DashboardConfig" for name in DASHBOARD),
        "widget_tweaks",
        "haystack",
        "treebeard",
        "sorl.thumbnail",
        "django_tables2",
    ],
    MIDDLEWARE=[
        "django.middleware.security.SecurityMiddleware",
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.middleware.common.CommonMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
        "django.contrib.messages.middleware.MessageMiddleware",
        "oscar.apps.basket.middleware.BasketMiddleware",
        "django.contrib.flatpages.middleware.FlatpageFallbackMiddleware",
    ],
    AUTHENTICATION_BACKENDS=[
        "oscar.apps.customer.auth_backends.EmailBackend",
        "django.contrib.auth.backends.ModelBackend",
    ],
    TEMPLATES=[
        {
            "BACKEND": "django.template.backends.django.DjangoTemplates",
            "APP_DIRS": True,
            "OPTIONS": {
                "context_processors": [
                    "django.template.context_processors.request",
                    "django.contrib.auth.context_processors.auth",
                    "django.contrib.messages.context_processors.messages",
                    "oscar.apps.search.context_processors.search_form",
                    "oscar.apps.checkout.context_processors.checkout",
                    "oscar.apps.communication.notifications.context_processors.notifications",
                    "oscar.core.context_processors.metadata",
                ]
            },
        }
    ],
)
application = get_wsgi_application()
urlpatterns = [path("", include(apps.get_app_config("oscar").urls[0]))]


def fill(size: int) -> None:
    """Products in equal shares of the categories, each in stock, without pictures."""
    from oscar.apps.catalogue.categories import create_from_breadcrumbs
    from oscar.apps.catalogue.models import Product, ProductCategory, ProductClass
    from oscar.apps.partner.models import Partner, StockRecord

    call_command("migrate", verbosity=0)
    if Product.objects.exists():
        return
    chance = random.Random(size)
    categories = [create_from_breadcrumbs(f"Range {number}") for number in range(CATEGORIES)]
    kind = ProductClass.objects.create(name="Remedy", track_stock=True)
    partner = Partner.objects.create(name="Maker")
    made = Product.objects.bulk_create(
        [
            Product(title=f"Product {number}", slug=f"product-{number}", upc=f"U{number}", product_class=kind)
            for number in range(size)
        ],
        batch_size=500,
    )
    StockRecord.objects.bulk_create(
        [
            StockRecord(
                product=product,
                partner=partner,
                partner_sku=product.upc,
                price=Decimal(chance.randint(50, 2000)),
                num_in_stock=100,
            )
            for product in made
        ],
        batch_size=500,
    )
    ProductCategory.objects.bulk_create(
        [
            ProductCategory(product=product, category=categories[number % CATEGORIES])
            for number, product in enumerate(made)
        ],
        batch_size=500,
    )


if __name__ == "__main__":
    fill(int(sys.argv[1]))
