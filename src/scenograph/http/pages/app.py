"""The App: the viewer and the studio's hands as one file, for a chat that shows it beside a tool's result.

It loads nothing and calls nobody: what it draws and edits goes through its host, as calls of the tool server.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.metadata import version

from markupsafe import Markup
from starlette.responses import HTMLResponse

from scenograph.http.pages.assets import assets
from scenograph.http.pages.html import self_contained_page
from scenograph.wire.formats import FORMATS

# One script of several modules, for a page that can load nothing: each becomes a function that gives what it
# exports. Understood is what the modules of `assets` write: `import { a, b } from "./x.js";` on a line of its own,
# and `export` before a function, a class or a const. Modules that import each other in a circle cannot be linked.


_IMPORT = re.compile(r'^import \{ ([\w, ]+) \} from "\./([\w-]+\.js)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const) (\w+))", re.MULTILINE)
_LEFT = re.compile(r"^\s*(?:import|export)\b|</script", re.MULTILINE | re.IGNORECASE)


class Unlinkable(ValueError):  # noqa: N818
    """A module says something that is not understood here."""


@cache
def linked(entry: str) -> str:
    """The script of the asset `entry` and all that it imports. Unlinkable; KeyError for an asset that there is not."""
    written: dict[str, str] = {}
    _link(entry, written, ())
    return "const linked = {};\n" + "\n".join(written.values())


def _link(name: str, written: dict[str, str], within: tuple[str, ...]) -> None:
    if name in within:
        raise Unlinkable(f"{' > '.join((*within, name))} is a circle.")
    if name in written:
        return
    text = assets()[name].content.decode("utf-8")
    for _, imported in _IMPORT.findall(text):
        _link(imported, written, (*within, name))
    body = _IMPORT.sub(r'const { \1 } = linked["\2"];', text)
    exported = [found[1] for found in _EXPORT.finditer(body)]
    body = _EXPORT.sub("", body)
    if odd := _LEFT.search(body):
        raise Unlinkable(f"{name} has {odd[0].strip()!r} in a form that is not understood.")
    written[name] = f'linked["{name}"] = (() => {{\n{body}\nreturn {{ {", ".join(exported)} }};\n}})();'


ENTRY, STYLES = "app.js", ("page.css", "studio.css", "app.css")


def app_page() -> HTMLResponse:
    """The file, under a policy of its own. Opened by itself it says that it belongs into a chat."""
    style = "\n".join(assets()[name].content.decode("utf-8") for name in STYLES)
    return self_contained_page(
        "app.html",
        formats=" ".join(FORMATS),
        version=version("scenograph"),
        style=Markup(style),  # noqa: S704 - files of this package
        script=Markup(linked(ENTRY)),  # noqa: S704
    )
