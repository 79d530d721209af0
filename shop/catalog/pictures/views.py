"""Files dropped on a page of the back office: each becomes a picture at once, so that a refused form loses none."""

from django.http import HttpRequest, JsonResponse

from shop.errors import ShopError
from shop.http.api import error_body

from ..editing.gallery import thumbnail_url
from ..products.forms import picture_of


def upload(request: HttpRequest) -> JsonResponse:
    """The picture's id, address and description; 422 with the reason."""
    file = request.FILES.get("upload")
    if file is None:
        return JsonResponse(error_body(422, "Choose a file."), status=422)
    try:
        picture = picture_of(file)
    except ShopError as refusal:
        return JsonResponse(error_body(422, refusal.message), status=422)
    return JsonResponse({"id": picture.pk, "url": thumbnail_url(picture), "alt": picture.alt})
