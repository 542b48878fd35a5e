"""HTML from templates, under a content security policy for exactly its content. The policy names inline style sheets
and scripts by their hashes, files by their origin: an injected style or script is not applied."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Sequence
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.responses import HTMLResponse

from scenograph.http.pages.assets import asset_address
from scenograph.late_dataclasses import dataclass

NOT_STORED = {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer"}
_STYLE = re.compile(r"<style>(.*?)</style>", re.DOTALL)
_SCRIPT = re.compile(r'<script type="module">(.*?)</script>', re.DOTALL)
_CHARSET = '<meta charset="utf-8">'
_PAGES = Environment(
    loader=PackageLoader("scenograph.http", "pages/templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_PAGES.globals["asset"] = asset_address  # pyright: ignore[reportArgumentType]


@dataclass(frozen=True, slots=True, kw_only=True)
class Permissions:
    """The rights of a page: targets of its forms, the service's own modules and API calls, frame ancestors (None: every
    page, even local files, which no policy source can name), and isolation from its own origin."""

    form_action: str = "'none'"
    scripts: bool = False
    frame_ancestors: str | None = "'none'"
    sandboxed: bool = False


STILL = Permissions()
LIVE = Permissions(scripts=True)
EMBEDDED = Permissions(scripts=True, frame_ancestors=None, sandboxed=True)


def self_contained_page(template: str, **values: Any) -> HTMLResponse:
    """A page with its policy in a meta element, for hosts that drop response headers: runs its own script, applies its
    own styles, loads nothing and calls no server."""
    html = _PAGES.get_template(template).render(values)
    policy = (
        f"default-src 'none'; script-src {' '.join(_hashes(_SCRIPT.findall(html)))};"
        f" style-src {' '.join(_hashes(_STYLE.findall(html)))}; font-src data:; img-src data: blob:;"
        " base-uri 'none'; form-action 'none'"
    )
    meta = f'{_CHARSET}\n<meta http-equiv="Content-Security-Policy" content="{policy}">'
    headers = {"Content-Security-Policy": f"{policy}; frame-ancestors 'none'", **NOT_STORED}
    return HTMLResponse(html.replace(_CHARSET, meta, 1), 200, headers)


def html_page(template: str, status: int = 200, *, may: Permissions = STILL, **values: Any) -> HTMLResponse:
    """The page of a template with its values."""
    html = _PAGES.get_template(template).render(values)
    return HTMLResponse(html, status, {"Content-Security-Policy": _policy(html, may), **NOT_STORED})


def _policy(html: str, may: Permissions) -> str:
    styles = " ".join(("'self'", *_hashes(_STYLE.findall(html))))
    scripts = " ".join((*(("'self'",) if may.scripts else ()), *_hashes(_SCRIPT.findall(html))))
    live = f" script-src {scripts};" if scripts else ""
    live += " connect-src 'self';" if may.scripts else ""
    framing = "" if may.frame_ancestors is None else f"; frame-ancestors {may.frame_ancestors}"
    sandbox = "; sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox" if may.sandboxed else ""
    return (
        f"default-src 'none'; style-src {styles}; font-src data:; img-src 'self' data: blob:;{live} base-uri 'none';"
        f" form-action {may.form_action}{framing}{sandbox}"
    )


def _hashes(styles: Sequence[str]) -> list[str]:
    digests = (hashlib.sha256(style.encode()).digest() for style in styles)
    return [f"'sha256-{base64.b64encode(digest).decode('ascii')}'" for digest in digests]
