"""The catalogue as the calls show it; field names are the specification's."""

from typing import Any, Literal

from ninja import Schema

from shop.http.api import Money, Slug
from shop.markets.schemas import MarketBody


class ProductBody(MarketBody):
    product: Slug


class PriceOut(Schema):
    selling_price: Money
    actual_price: Money
    discount: int


class VariantImageOut(Schema):
    image_url: str


class VariantOut(Schema):
    id: int
    sku: str
    price: PriceOut
    variant_images: list[VariantImageOut]
    variant_attr: dict[str, Any]
    max_purchase_qty: int
    available: int
    weight_actual: Money
    weight_unit: str


class VariantDetailOut(VariantOut):
    description: str
    ingredients: str
    nutritional_info_json: dict[str, Any]
    composition_json: dict[str, Any]


class BrandOut(Schema):
    name: str
    slug: str
    brand_image: str


class CardCategoryOut(Schema):
    name: str
    slug: str
    img_banner: str
    img_banner_m: str
    meta_title: str
    meta_desc: str


class FirstVariantOut(Schema):
    id: int
    price: PriceOut


class CardOut(Schema):
    id: int
    slug: str
    name: str
    title: str
    first_image: str
    category: CardCategoryOut
    brand: dict[str, str]
    health_concerns: list[dict[str, Any]]
    first_variant: FirstVariantOut
    attributes: dict[str, list[str]]
    in_stock: bool


class RelatedCardOut(CardOut):
    relation: Literal["similar", "goes_well_with"]
    unit_price: str


class SameCompositionOut(Schema):
    """The cheapest by unit price first; `pack` is the content of its variant that costs least a unit, such as 10
    tablets."""

    id: int
    slug: str
    name: str
    brand: str
    variant_id: int
    pack: str
    price: PriceOut
    unit_price: str
    in_stock: bool


class IngredientOut(Schema):
    """An active ingredient as the label names it; `strength` such as 125 mg/5 ml, empty where it states none."""

    name: str
    strength: str


class DeliveryOut(Schema):
    dispatch_max_day: int
    buffer_delivery_day: int


class ConcernOut(Schema):
    id: int
    name: str
    slug: str
    img_icon: str


class ProductOut(Schema):
    id: int
    name: str
    title: str
    slug: str
    brand: BrandOut
    main_parent_category: dict[str, str]
    variants: list[VariantDetailOut]
    attributes: dict[str, list[str]]
    health_concerns: list[ConcernOut]
    related_products: list[RelatedCardOut]
    active_ingredients: list[IngredientOut]
    dosage_form: str
    same_composition: list[SameCompositionOut]
    delivery_details: DeliveryOut
    highlight: str
    suited_for: str
    dosage: str
    cautions: str
    storage: str
    lab_certificate: str
    is_prescription: bool
    country_of_origin: str


class MenuNodeOut(Schema):
    name: str
    slug: str
    child_categories: list["MenuNodeOut"] = []


class MenuCategoryOut(MenuNodeOut):
    img_icon: str
    img_bg: str
    img_bg_m: str
    color: str
    health_concerns: list[dict[str, str]]
    brands: list[BrandOut]
