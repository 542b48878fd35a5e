"""Diagnostics about scenes: a row for each code, a value for each remark.

The rows are the single source of severities, wordings, paths and data; `docs/rules/diagnostics.md` is generated from
them.
"""

from __future__ import annotations

from scenograph.diagnostics import formats, operations, rendering, validation
from scenograph.diagnostics.formats import *  # noqa: F403 -- each row is named where it is reported
from scenograph.diagnostics.operations import *  # noqa: F403
from scenograph.diagnostics.rendering import *  # noqa: F403
from scenograph.diagnostics.rows import Code as Code
from scenograph.diagnostics.rows import Diagnostic as Diagnostic
from scenograph.diagnostics.rows import Report as Report
from scenograph.diagnostics.rows import Severity as Severity
from scenograph.diagnostics.rows import whereabouts as whereabouts
from scenograph.diagnostics.rows import wire_form as wire_form
from scenograph.diagnostics.validation import *  # noqa: F403

CODES = {
    title: tuple(row for row in vars(module).values() if isinstance(row, Code))
    for title, module in {
        "Rendering and normalizing": rendering,
        "Validation": validation,
        "Operations": operations,
        "Files and sources of other tools": formats,
    }.items()
}
"""Every row by subject, in the order of its module."""
