"""The pages of a mailed link: the button, and the result."""

from __future__ import annotations

from urllib.parse import urlencode

from starlette.responses import HTMLResponse

from scenograph.http.pages.html import Permissions, html_page

INVALID = 400


def confirmation_page(token: str) -> HTMLResponse:
    """The page with the button. The token is not checked, which makes the page equal for every token."""
    return html_page("verify.html", may=Permissions(form_action="'self'"), action=f"?{urlencode({'token': token})}")


def verified_page() -> HTMLResponse:
    """The address is proved."""
    return html_page("verified.html")


def expired_page() -> HTMLResponse:
    """The token is no longer valid, or never was."""
    return html_page("expired.html", INVALID)
