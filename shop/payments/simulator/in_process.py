"""The provider of a shop without keys: in its own processes, with its rows in its database."""

from functools import cache

from ..providers.keys import Keys, simulated_keys
from .provider import Provider, Webhook
from .store import TableStore


def shop_provider() -> Provider:
    return _provider(simulated_keys())


@cache
def _provider(keys: Keys) -> Provider:
    webhook = Webhook(secret=keys.webhook_secrets[0])
    return Provider({keys.key_id: keys.key_secret}, store=TableStore(), webhook=webhook)
