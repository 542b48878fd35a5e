"""The command line: one row a command.

Exit codes: 0 done, 1 refused (an invalid scene, a wrong value), 2 wrong usage, or the service cannot start. Results go
to standard output, remarks to standard error. What a command does not need is not imported: most answer at once.
"""

from __future__ import annotations

from importlib.metadata import version
from typing import Any, cast

from cyclopts import App

from scenograph.cli import operating, pictures, serving, sources, starting

app = App(
    name="scenograph",
    help="Diagram scenes: kept with revisions, laid out, routed and rendered to pictures.",
    version=lambda: version("scenograph"),
    help_format="plaintext",  # reading help as Markdown takes a fifth of the time of --help
)
for command in (
    serving.serve,
    serving.settings,
    serving.mcp,
    serving.doctor,
    starting.init,
    pictures.render,
    pictures.validate,
    pictures.normalize,
    sources.sync,
    sources.diff,
    operating.keys,
    operating.accounts,
    operating.purge,
):
    app.command(command)
app.command(sources.import_source, name="import")
cast("Any", app).register_install_completion_command(help="Install completion for this shell.")
