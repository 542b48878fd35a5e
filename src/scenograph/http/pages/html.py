"""HTML from templates, under a policy that names what the text holds and nothing else.

The policy names the style sheets by their hashes: a style or a script that got in by whatever way would not be applied.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Sequence
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.responses import HTMLResponse

NOT_STORED = {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer"}
_STYLE = re.compile(r"<style>(.*?)</style>", re.DOTALL)
_PAGES = Environment(
    loader=PackageLoader("scenograph.http", "pages/templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def html_page(template: str, status: int = 200, *, form_action: str = "'none'", **values: Any) -> HTMLResponse:
    """The page of a template with its values. `form_action` is where its forms may send."""
    html = _PAGES.get_template(template).render(values)
    return HTMLResponse(html, status, {"Content-Security-Policy": _policy(html, form_action), **NOT_STORED})


def _policy(html: str, form_action: str) -> str:
    return (
        f"default-src 'none'; style-src {' '.join(_hashes(_STYLE.findall(html)))}; font-src data:; img-src data:;"
        f" base-uri 'none'; form-action {form_action}; frame-ancestors 'none'"
    )


def _hashes(styles: Sequence[str]) -> list[str]:
    digests = (hashlib.sha256(style.encode()).digest() for style in styles)
    return [f"'sha256-{base64.b64encode(digest).decode('ascii')}'" for digest in digests]
