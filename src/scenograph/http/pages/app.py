"""The App: viewer and editor as a single file, shown in a chat beside a tool's result. The file loads nothing and calls
no server: drawing and editing go through its host, as calls of the tool server."""

from __future__ import annotations

import re
from functools import cache
from importlib.metadata import version

from markupsafe import Markup
from starlette.responses import HTMLResponse

from scenograph.http.pages.assets import assets
from scenograph.http.pages.html import self_contained_page
from scenograph.wire.formats import offered_by_pages

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


ENTRY, STYLES = "app.js", ("page.css", "studio.css", "app.css")


def app_page() -> HTMLResponse:
    """The file, under a separate policy. Opened alone, the page explains its use in a chat."""
    style = "\n".join(assets()[name].content.decode("utf-8") for name in STYLES)
    return self_contained_page(
        "app.html",
        formats=offered_by_pages(),
        version=version("scenograph"),
        style=Markup(style),  # noqa: S704 - files of this package
        script=Markup(linked(ENTRY)),  # noqa: S704
    )
