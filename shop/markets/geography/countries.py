"""The countries the shop can deliver to, their currencies and first rates.

Written into an empty database by the first migration; from then on the rows are the truth and the
staff's. Ids are stable. Rates are a start, to be refreshed (`manage.py refresh_rates`).
"""

from decimal import Decimal
from typing import Any

from babel import Locale
from babel.numbers import get_currency_name, get_currency_symbol

# id, country, currency, phone code, transit days
LOCATIONS = [
    (1, "IN", "INR", "+91", 2), (2, "AE", "AED", "+971", 6), (3, "AU", "AUD", "+61", 9), (4, "AT", "EUR", "+43", 9),
    (5, "BH", "BHD", "+973", 7), (6, "BD", "BDT", "+880", 6), (7, "BE", "EUR", "+32", 9), (8, "BT", "BTN", "+975", 6),
    (9, "BR", "BRL", "+55", 14), (10, "BN", "BND", "+673", 9), (11, "BG", "EUR", "+359", 10), (12, "CA", "CAD", "+1", 9),
    (13, "CL", "CLP", "+56", 14), (14, "CN", "CNY", "+86", 9), (15, "HR", "EUR", "+385", 10), (16, "CY", "EUR", "+357", 10),
    (17, "CZ", "CZK", "+420", 9), (18, "DK", "DKK", "+45", 9), (19, "EE", "EUR", "+372", 10), (20, "FI", "EUR", "+358", 9),
    (21, "FJ", "FJD", "+679", 12), (22, "US", "USD", "+1", 8), (23, "FR", "EUR", "+33", 8), (24, "DE", "EUR", "+49", 8),
    (25, "GR", "EUR", "+30", 10), (26, "HK", "HKD", "+852", 7), (27, "HU", "HUF", "+36", 9), (28, "IS", "ISK", "+354", 10),
    (29, "ID", "IDR", "+62", 9), (30, "IE", "EUR", "+353", 9), (31, "IL", "ILS", "+972", 9), (32, "IT", "EUR", "+39", 9),
    (33, "JP", "JPY", "+81", 8), (34, "JO", "JOD", "+962", 9), (35, "KZ", "KZT", "+7", 12), (36, "KE", "KES", "+254", 10),
    (37, "KW", "KWD", "+965", 7), (38, "LV", "EUR", "+371", 10), (39, "LT", "EUR", "+370", 10), (40, "LU", "EUR", "+352", 9),
    (41, "MY", "MYR", "+60", 7), (42, "MV", "MVR", "+960", 8), (43, "MT", "EUR", "+356", 10), (44, "MU", "MUR", "+230", 9),
    (45, "MX", "MXN", "+52", 12), (46, "NP", "NPR", "+977", 5), (47, "NL", "EUR", "+31", 8), (48, "NZ", "NZD", "+64", 10),
    (49, "NG", "NGN", "+234", 12), (50, "NO", "NOK", "+47", 9), (51, "OM", "OMR", "+968", 7), (52, "PE", "PEN", "+51", 14),
    (53, "PH", "PHP", "+63", 9), (54, "PL", "PLN", "+48", 9), (55, "PT", "EUR", "+351", 9), (56, "QA", "QAR", "+974", 7),
    (57, "RO", "RON", "+40", 10), (58, "SA", "SAR", "+966", 8), (59, "RS", "RSD", "+381", 11), (60, "SG", "SGD", "+65", 6),
    (61, "SK", "EUR", "+421", 10), (62, "SI", "EUR", "+386", 10), (63, "ZA", "ZAR", "+27", 10), (64, "KR", "KRW", "+82", 8),
    (65, "ES", "EUR", "+34", 9), (66, "LK", "LKR", "+94", 5), (67, "SE", "SEK", "+46", 9), (68, "CH", "CHF", "+41", 8),
    (69, "TW", "TWD", "+886", 8), (70, "TZ", "TZS", "+255", 11), (71, "TH", "THB", "+66", 7), (72, "TT", "TTD", "+1", 12),
    (73, "TR", "TRY", "+90", 9), (74, "UG", "UGX", "+256", 12), (75, "GB", "GBP", "+44", 7), (76, "VN", "VND", "+84", 9),
]  # fmt: skip
# The time zone that times are shown in; of several, the capital's or that of most people.
TIME_ZONES = {
    "IN": "Asia/Kolkata", "AE": "Asia/Dubai", "AU": "Australia/Sydney", "AT": "Europe/Vienna", "BH": "Asia/Bahrain",
    "BD": "Asia/Dhaka", "BE": "Europe/Brussels", "BT": "Asia/Thimphu", "BR": "America/Sao_Paulo", "BN": "Asia/Brunei",
    "BG": "Europe/Sofia", "CA": "America/Toronto", "CL": "America/Santiago", "CN": "Asia/Shanghai",
    "HR": "Europe/Zagreb", "CY": "Asia/Nicosia", "CZ": "Europe/Prague", "DK": "Europe/Copenhagen",
    "EE": "Europe/Tallinn", "FI": "Europe/Helsinki", "FJ": "Pacific/Fiji", "US": "America/New_York",
    "FR": "Europe/Paris", "DE": "Europe/Berlin", "GR": "Europe/Athens", "HK": "Asia/Hong_Kong",
    "HU": "Europe/Budapest", "IS": "Atlantic/Reykjavik", "ID": "Asia/Jakarta", "IE": "Europe/Dublin",
    "IL": "Asia/Jerusalem", "IT": "Europe/Rome", "JP": "Asia/Tokyo", "JO": "Asia/Amman", "KZ": "Asia/Almaty",
    "KE": "Africa/Nairobi", "KW": "Asia/Kuwait", "LV": "Europe/Riga", "LT": "Europe/Vilnius",
    "LU": "Europe/Luxembourg", "MY": "Asia/Kuala_Lumpur", "MV": "Indian/Maldives", "MT": "Europe/Malta",
    "MU": "Indian/Mauritius", "MX": "America/Mexico_City", "NP": "Asia/Kathmandu", "NL": "Europe/Amsterdam",
    "NZ": "Pacific/Auckland", "NG": "Africa/Lagos", "NO": "Europe/Oslo", "OM": "Asia/Muscat", "PE": "America/Lima",
    "PH": "Asia/Manila", "PL": "Europe/Warsaw", "PT": "Europe/Lisbon", "QA": "Asia/Qatar", "RO": "Europe/Bucharest",
    "SA": "Asia/Riyadh", "RS": "Europe/Belgrade", "SG": "Asia/Singapore", "SK": "Europe/Bratislava",
    "SI": "Europe/Ljubljana", "ZA": "Africa/Johannesburg", "KR": "Asia/Seoul", "ES": "Europe/Madrid",
    "LK": "Asia/Colombo", "SE": "Europe/Stockholm", "CH": "Europe/Zurich", "TW": "Asia/Taipei",
    "TZ": "Africa/Dar_es_Salaam", "TH": "Asia/Bangkok", "TT": "America/Port_of_Spain", "TR": "Europe/Istanbul",
    "UG": "Africa/Kampala", "GB": "Europe/London", "VN": "Asia/Ho_Chi_Minh",
}  # fmt: skip
INDEXED = {"IN", "US", "GB", "AE", "AU", "CA", "SG"}

# INR for one unit
RATES = {
    "INR": "1", "AED": "24.10", "AUD": "58.00", "BDT": "0.727", "BHD": "235.00", "BND": "68.50", "BRL": "16.40",
    "BTN": "1", "CAD": "63.20", "CHF": "110.00", "CLP": "0.094", "CNY": "12.40", "CZK": "4.23", "DKK": "13.75",
    "EUR": "102.70", "FJD": "38.80", "GBP": "117.00", "HKD": "11.38", "HUF": "0.268", "IDR": "0.0053", "ILS": "27.20",
    "ISK": "0.70", "JOD": "125.00", "JPY": "0.57", "KES": "0.685", "KRW": "0.0607", "KWD": "288.50", "KZT": "0.17",
    "LKR": "0.288", "MUR": "1.92", "MVR": "5.74", "MXN": "4.82", "MYR": "21.40", "NGN": "0.061", "NOK": "8.75",
    "NPR": "0.6247", "NZD": "50.00", "OMR": "230.00", "PEN": "26.30", "PHP": "1.51", "PLN": "24.20", "QAR": "24.30",
    "RON": "20.20", "RSD": "0.876", "SAR": "23.60", "SEK": "9.35", "SGD": "68.40", "THB": "2.73", "TRY": "2.09",
    "TTD": "13.05", "TWD": "2.84", "TZS": "0.036", "UGX": "0.0245", "USD": "88.50", "VND": "0.00336", "ZAR": "5.15",
}  # fmt: skip

# (tier, cost) in INR; elsewhere these are rounded into the location's own currency
DOMESTIC_SLABS = [("499", "49"), ("999", "29"), ("100000", "0")]
FOREIGN_SLABS = [("2500", "1450"), ("6000", "950"), ("12000", "500"), ("1000000", "0")]


# What the shop speaks to shoppers of a country where SHOP_LANGUAGES has it; elsewhere English.
LANGUAGES = {"IN": ["en", "hi"], "AE": ["en", "ar"]}


def load_languages(apps: Any) -> None:
    """Write the languages that countries begin with; `apps` is Django's registry or a migration's."""
    for code, languages in LANGUAGES.items():
        apps.get_model("markets", "Location").objects.filter(code=code).update(languages=languages)


def load_world(apps: Any) -> None:
    """Write what is missing; `apps` is Django's registry or a migration's."""
    from shop.money import round_money

    def model(name: str) -> Any:
        return apps.get_model("markets", name)

    language = Locale("en")
    model("Currency").objects.bulk_create(
        [
            model("Currency")(
                code=code, symbol=get_currency_symbol(code, "en"), name=get_currency_name(code, locale="en")
            )
            for code in RATES
        ],
        ignore_conflicts=True,
    )
    if not model("Rate").objects.exists():
        model("Rate").objects.bulk_create(
            [model("Rate")(currency_id=code, inr=Decimal(inr), source="first rates") for code, inr in RATES.items()]
        )
    model("Location").objects.bulk_create(
        [
            model("Location")(
                id=pk, code=code, name=_country_name(language, code), currency_id=currency, phone_code=phone_code,
                transit_days=days, is_indexed=code in INDEXED,
            )
            for pk, code, currency, phone_code, days in LOCATIONS
        ],
        ignore_conflicts=True,
    )  # fmt: skip
    if not model("Slab").objects.exists():
        model("Slab").objects.bulk_create(
            [
                model("Slab")(
                    location_id=pk,
                    tier_amount=round_money(Decimal(tier) / Decimal(RATES[currency]), currency),
                    shipping_cost=round_money(Decimal(cost) / Decimal(RATES[currency]), currency),
                )
                for pk, code, currency, _, _ in LOCATIONS
                for tier, cost in (DOMESTIC_SLABS if code == "IN" else FOREIGN_SLABS)
            ]
        )


def load_time_zones(apps: Any) -> None:
    """Write the time zone of each location that has none yet."""
    locations = apps.get_model("markets", "Location").objects
    for code, time_zone in TIME_ZONES.items():
        locations.filter(code=code, time_zone="UTC").update(time_zone=time_zone)


def _country_name(language: Locale, code: str) -> str:
    return {"US": "USA", "HK": "Hong Kong", "TR": "Türkiye"}.get(code) or language.territories[code]
