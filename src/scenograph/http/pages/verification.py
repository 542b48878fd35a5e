"""The pages of mailed links: the button, and the result."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import urlencode

from starlette.responses import HTMLResponse

from scenograph.http.pages.html import Permissions, html_page

INVALID = 400


class MailedLink(NamedTuple):
    """A kind of mailed link: its life, and the way on after its end."""

    life: str
    way_on: str


VERIFYING_LINK = MailedLink(
    "24 hours",
    "If you used it before, your address is confirmed already; otherwise use your API key to ask for another mail.",
)
SIGN_IN_LINK = MailedLink("15 minutes", "Ask for another link in the studio, where you sign in.")


def confirmation_page(token: str) -> HTMLResponse:
    """The page with the button. The token is not checked, which makes the page equal for every token."""
    return html_page("verify.html", may=Permissions(form_action="'self'"), action=f"?{urlencode({'token': token})}")


def verified_page() -> HTMLResponse:
    """The address is proved."""
    return html_page("verified.html")


def sign_in_page(token: str) -> HTMLResponse:
    """The same button for signing in. A browser names the page in its request, as the service wants to know which page
    asks; nobody else learns the address, which holds the token."""
    action = f"?{urlencode({'token': token})}"
    page = html_page("sign_in.html", may=Permissions(form_action="'self'"), action=action)
    page.headers["Referrer-Policy"] = "same-origin"
    return page


def expired_page(link: MailedLink) -> HTMLResponse:
    """The token is no longer valid, or never was."""
    return html_page("expired.html", INVALID, link=link)


def refused_page(sentence: str, status: int) -> HTMLResponse:
    """Nobody is signed in."""
    return html_page("not_signed_in.html", status, sentence=sentence)
