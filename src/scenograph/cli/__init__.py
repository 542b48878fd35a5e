"""The command line: one row a command.

Exit codes: 0 done, 1 refused (an invalid scene, a wrong value), 2 wrong usage, or the service cannot start. Results go
to standard output, remarks to standard error. What a command does not need is not imported: most answer at once.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import click

from scenograph.cli import operating, pictures, serving, sources, starting

# What a shell reports of a program that Ctrl-C ended, and of one that SIGPIPE ended
INTERRUPTED, READER_LEFT = 130, 141
COMMANDS = (
    serving.serve,
    serving.settings,
    serving.mcp,
    serving.doctor,
    starting.init,
    pictures.render,
    pictures.validate,
    pictures.normalize,
    sources.import_source,
    sources.sync,
    sources.diff,
    operating.keys,
    operating.accounts,
    operating.purge,
)


class _NoReaderError(Exception):
    """Whoever read standard output is gone, such as `head`. Click would report the broken pipe as a failure."""


class _Program(click.Group):
    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except BrokenPipeError as left:
            raise _NoReaderError from left


@click.group(
    cls=_Program,
    commands=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(package_name="scenograph", message="%(version)s")
def program() -> None:
    """Diagram scenes: kept with revisions, laid out, routed and rendered to pictures."""


def app(arguments: Sequence[str] | None = None) -> None:
    """Run one command; `arguments` are those of the process where None. The process ends with the command's exit
    code."""
    try:
        try:
            sys.exit(_ended(arguments))
        finally:
            sys.stdout.flush()
    except (_NoReaderError, BrokenPipeError):
        # End as a program does whose reader has closed the pipe: without a word
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(READER_LEFT)


def _ended(arguments: Sequence[str] | None) -> int:
    """The exit code of a command that came to its end."""
    try:
        return program.main(arguments, prog_name="scenograph", standalone_mode=False) or 0
    except click.ClickException as refused:
        refused.show()
        return refused.exit_code
    except click.Abort:
        return INTERRUPTED
