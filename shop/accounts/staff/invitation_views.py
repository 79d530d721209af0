"""The page that an invitation's link opens."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from shop.errors import ShopError

from ..pages import form_page
from ..passwords.forms import NewPasswordForm
from ..sessions.session import remember_path
from .invitations import InvitationInvalid, accept_invitation, invitation_of

PAGE, OVER = "accounts/staff/join.html", "accounts/staff/join_over.html"


@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_post_parameters("new_password", "password_again")
def staff_join(request: HttpRequest, token: str) -> HttpResponse:
    """Choose a password and become staff; what follows is the sign-in, and the second factor."""
    form = NewPasswordForm(request.POST or None)
    try:
        invitation = invitation_of(token)
        if request.method != "POST" or not form.is_valid():
            return form_page(request, PAGE, form, invitation=invitation, token=token)
        accept_invitation(token, password=form.cleaned_data["new_password"])
    except InvitationInvalid as over:
        return render(request, OVER, {"words": over.message}, status=404)
    except ShopError as error:
        return form_page(request, PAGE, form, error, invitation=invitation, token=token)
    remember_path(request, "/admin/")
    messages.success(request, gettext("Welcome. Sign in with your new password, then set up two-step verification."))
    return redirect("signin")
