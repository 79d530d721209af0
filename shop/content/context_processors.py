from django.conf import settings
from django.http import HttpRequest


def shop(request: HttpRequest) -> dict:
    """What every page needs: the shop's name, the market, company facts."""
    return {
        "shop_name": settings.SHOP_NAME,
        "shop_email": settings.SHOP_EMAIL,
        "company": settings.COMPANY,
        "market": request.market,
        "demo": settings.DEMO,
    }
