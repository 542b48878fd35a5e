"""Pages for people: HTML from templates, under a content security policy for exactly its content, and the files they
load."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from html import unescape
from importlib.metadata import version
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from starlette.responses import HTMLResponse

from scenograph.late_dataclasses import dataclass
from scenograph.service.rendering import PublishedScene
from scenograph.wire.formats import offered_by_pages

# Assets of the pages: style sheets, modules, pictures and examples from the folder `assets`. Their address holds a hash
# of all assets: caches may keep the files for good, and modules find each other by relative names. Modules and style
# sheets are served without their comments and indentation.

_MEDIA_TYPES: Mapping[str, str] = {
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "json": "application/json",
    "png": "image/png",
    "svg": "image/svg+xml",
    "txt": "text/plain; charset=utf-8",
}


# What a module can do without: comments, indentation, and spaces beside punctuation. Lines with a template or a slash
# (the begin of a regular expression) keep their spaces, and so do texts, and imports for linking. A text over several
# lines would change: a test forbids it.
_COMMENT = re.compile(rb"^[ \t]*(?:/\*\*.*?\*/[ \t]*|//[^\n]*)\n|(?<=[;,{}]) // [^\n]*$", re.DOTALL | re.MULTILINE)
_INDENT = re.compile(rb"^[ \t]+|^\n", re.MULTILINE)
_SPACES = re.compile(
    rb"""(?P<kept>^import[^\n]*|^[^\n]*[`/][^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')"""
    rb"""|[ ]*(?P<mark>[][{}(),;:=<>?&|!*])[ ]*""",
    re.MULTILINE,
)


# The same of a style sheet: spaces before a colon stand between selectors, those within texts and sums stay.
_SHEET = re.compile(
    rb"""(?P<kept>"[^"\n]*"|'[^'\n]*')|/\*.*?\*/|\s*(?P<mark>[{};,])\s*|(?P<colon>:)\s+|(?P<space>\s+)""", re.DOTALL
)


class ServedFile(NamedTuple):
    """A file as served."""

    content: bytes
    media_type: str


@cache
def assets() -> Mapping[str, ServedFile]:
    """Every asset by its name below the folder."""
    return dict(_below(files("scenograph.http") / "pages" / "assets", ""))


@cache
def assets_version() -> str:
    """A hash of all assets."""
    digest = hashlib.sha256()
    for name, asset in assets().items():
        digest.update(f"{name} {len(asset.content)} ".encode() + asset.content)
    return digest.hexdigest()[:16]


def asset_address(name: str) -> str:
    """The address of an asset. Raises KeyError for an unknown name."""
    assets()[name]
    return f"/assets/{assets_version()}/{name}"


def _below(folder: Traversable, prefix: str) -> list[tuple[str, ServedFile]]:
    found: list[tuple[str, ServedFile]] = []
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        name = prefix + entry.name
        if entry.is_dir():
            found += _below(entry, f"{name}/")
        else:
            suffix = entry.name.rpartition(".")[2]
            content = _BARE.get(suffix, bytes)(entry.read_bytes())
            found.append((name, ServedFile(content, _MEDIA_TYPES[suffix])))
    return found


def _bare_module(module: bytes) -> bytes:
    lines = _INDENT.sub(b"", _COMMENT.sub(b"", module))
    return _SPACES.sub(lambda found: found["kept"] or found["mark"], lines)


def _bare_sheet(sheet: bytes) -> bytes:
    def bare(found: re.Match[bytes]) -> bytes:
        return found["kept"] or found["mark"] or found["colon"] or (b" " if found["space"] else b"")

    return _SHEET.sub(bare, sheet).replace(b";}", b"}")


_BARE: Mapping[str, Callable[[bytes], bytes]] = {"js": _bare_module, "css": _bare_sheet}

# HTML from templates, under a content security policy for exactly its content. The policy names inline style sheets and
# scripts by their hashes, files by their origin: an injected style or script is not applied.

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


def _self_contained_page(template: str, **values: Any) -> HTMLResponse:
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


# A single script of several modules, for a page that can load nothing: each module becomes a function that returns
# its exports. Supported is the syntax of the modules in `assets`: `import { a, b } from "./x.js";` on its own line,
# `import("./x.js")` of modules for later, and `export` before a function, a class or a const. Modules with circular
# imports cannot be linked.


_IMPORT = re.compile(r'^import \{ ([\w, ]+) \} from "\./([\w-]+\.js)";$', re.MULTILINE)
_LATER = re.compile(r'\bimport\("\./([\w-]+\.js)"\)')
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const) (\w+))", re.MULTILINE)
_LEFT = re.compile(r"^\s*(?:import|export)\b|</script", re.MULTILINE | re.IGNORECASE)


class Unlinkable(ValueError):  # noqa: N818
    """A module has syntax outside the supported subset."""


@cache
def linked(entry: str) -> str:
    """The script of the asset `entry` and all its imports. Raises Unlinkable, and KeyError for an unknown asset."""
    written: dict[str, str] = {}
    _link(entry, written, ())
    return "const linked = {};\n" + "\n".join(written.values())


def _link(name: str, written: dict[str, str], within: tuple[str, ...]) -> None:
    if name in within:
        raise Unlinkable(f"{' > '.join((*within, name))} is a circle.")
    if name in written:
        return
    text = assets()[name].content.decode("utf-8")
    for imported in [*(source for _, source in _IMPORT.findall(text)), *_LATER.findall(text)]:
        _link(imported, written, (*within, name))
    body = _IMPORT.sub(r'const { \1 } = linked["\2"];', text)
    body = _LATER.sub(r'Promise.resolve(linked["\1"])', body)
    exported = [found[1] for found in _EXPORT.finditer(body)]
    body = _EXPORT.sub("", body)
    if odd := _LEFT.search(body):
        linked = "named imports and exports of functions, classes and constants"
        raise Unlinkable(f"{name} has {odd[0].strip()!r}; only {linked} are linked.")
    written[name] = f'linked["{name}"] = (() => {{\n{body}\nreturn {{ {", ".join(exported)} }};\n}})();'


# The App: viewer and editor as a single file, shown in a chat beside a tool's result. The file loads nothing and calls
# no server: drawing and editing go through its host, as calls of the tool server.


ENTRY, STYLES = "app.js", ("page.css", "studio.css", "app.css")


def app_page() -> HTMLResponse:
    """The file, under a separate policy. Opened alone, the page explains its use in a chat."""
    style = "\n".join(assets()[name].content.decode("utf-8") for name in STYLES)
    return _self_contained_page(
        "app.html",
        formats=offered_by_pages(),
        version=version("scenograph"),
        style=Markup(style),  # noqa: S704 - files of this package
        script=Markup(linked(ENTRY)),  # noqa: S704
    )


# The page of a published scene, alone or framed by another site, and the page of a missing scene. The picture stands
# inline, where its text can be selected, found and read aloud even without scripts. A module then makes the picture
# explorable.

_DESCRIPTION_LENGTH = 200
SHARP_SCALE, SHARP_PIXELS = 2, 8_000_000  # twice as sharp, unless it grows too large
PREVIEW_SIZE = (1200, 630)  # the size of link previews (Open Graph)
# With this request for client hints a browser tells on its next visit whether its reader prefers dark pages.
_ASKS_FOR_SCHEME = {"Accept-CH": "Sec-CH-Prefers-Color-Scheme", "Vary": "Sec-CH-Prefers-Color-Scheme"}
_DESCRIPTION = re.compile(r"<desc[^>]*>(.*?)</desc>", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class _PublicAddresses:
    """Public addresses of the page, the pictures, the source and the embedding."""

    page: str
    svg: str
    png: str
    preview: str
    source: str
    oembed: str


def public_page(found: PublishedScene, site: str, theme: str | None, *, embedded: bool = False) -> HTMLResponse:
    """The page of a published scene. `site` is the service's public address, `theme` the theme in the page's
    address."""
    picture = found.picture
    svg = str(picture.content)
    scale = SHARP_SCALE if picture.width * picture.height * SHARP_SCALE**2 <= SHARP_PIXELS else 1
    described = _DESCRIPTION.search(svg)
    reply = html_page(
        "scene.html",
        may=EMBEDDED if embedded else LIVE,
        frame="embed" if embedded else "page",
        scene_id=found.scene_id,
        title=found.title or found.scene_id,
        description=_shortened(unescape(described[1])) if described else "",
        published=found.made_public_at,
        revision=found.revision,
        theme=theme or "",
        drawn=found.theme or "",
        coloured=found.is_coloured,
        formats=offered_by_pages(),
        at=_addresses(site, found.scene_id, theme, scale),
        preview_size=PREVIEW_SIZE,
        picture=Markup(svg),  # noqa: S704 - the writer's own, in which every text is escaped
    )
    reply.headers.update(_ASKS_FOR_SCHEME)
    return reply


def _addresses(site: str, scene_id: str, theme: str | None, scale: int) -> _PublicAddresses:
    page = f"{site}/s/{quote(scene_id)}"
    chosen = {"theme": theme} if theme else {}

    def with_query(address: str, **more: object) -> str:
        query = urlencode(chosen | more)
        return f"{address}?{query}" if query else address

    return _PublicAddresses(
        page=page,
        svg=with_query(f"{page}.svg"),
        png=with_query(f"{page}.png", **({"scale": scale} if scale != 1 else {})),
        preview=with_query(f"{page}/preview.png"),
        source=f"{site}/v1/public/scenes/{quote(scene_id)}",
        oembed=f"{site}/oembed?{urlencode({'url': with_query(page)})}",
    )


def _shortened(text: str) -> str:
    return text if len(text) <= _DESCRIPTION_LENGTH else f"{text[: _DESCRIPTION_LENGTH - 1].rstrip()}…"


# The pages of mailed links: the button, and the result.

INVALID = 400


class MailedLink(NamedTuple):
    """A kind of mailed link: lifetime, and the way on after expiry."""

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
