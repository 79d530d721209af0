from django.apps import AppConfig


class SearchConfig(AppConfig):
    name = "shop.search"

    def ready(self) -> None:
        from django.db.models.signals import post_save

        from shop.catalog.categories.tree import register_counter
        from shop.catalog.composition.substances import register_substance_namer
        from shop.catalog.products.related import register_related_finder
        from shop.invalidation.models import Change
        from shop.markets.canonical import register_listing_parameters

        from .facets.registry import FACETS
        from .facets.store import count_presence
        from .related import find_related
        from .tasks import request_changes
        from .text.tables.substances import shared_name

        for facet in FACETS:
            register_listing_parameters(*(facet.parameters or [facet.name]), is_money=facet.is_money)
        register_counter(count_presence)
        register_related_finder(find_related)
        register_substance_namer(shared_name)
        post_save.connect(request_changes, Change)
