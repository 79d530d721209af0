from django.apps import AppConfig


class SearchConfig(AppConfig):
    name = "shop.search"

    def ready(self) -> None:
        from shop.catalog.signals import products_changed
        from shop.markets.canonical import register_listing_parameters

        from .facets.registry import FACETS
        from .text.services import index_products

        products_changed.connect(
            lambda sender, product_ids, **kwargs: index_products(product_ids), weak=False, dispatch_uid="search"
        )
        for facet in FACETS:
            register_listing_parameters(*(facet.parameters or [facet.name]), is_money=facet.is_money)
