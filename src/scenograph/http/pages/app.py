"""The App: the viewer and the studio's hands as one file, for a chat that shows it beside a tool's result.

It loads nothing and calls nobody: what it draws and edits goes through its host, as calls of the tool server.
"""

from __future__ import annotations

from importlib.metadata import version

from markupsafe import Markup
from starlette.responses import HTMLResponse

from scenograph.http.pages.assets import assets
from scenograph.http.pages.html import self_contained_page
from scenograph.http.pages.linking import linked
from scenograph.wire.formats import FORMATS

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
