"""The command line, a row for each command.

Exit codes: 0 done, 1 refused (an invalid scene, a wrong value), 2 wrong usage, or the service cannot start. Results go
to standard output, remarks to standard error. Each command imports only its own needs: most answer at once.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from errno import ENOSPC
from io import TextIOWrapper
from typing import Any, TextIO, cast

import click
from click.exceptions import NoArgsIsHelpError

from scenograph.cli import operating, pictures, serving, sources, terminal
from scenograph.cli.terminal import REFUSED, leave

# A shell's exit codes for a program ended by Ctrl-C, and by SIGPIPE
INTERRUPTED, READER_LEFT = 130, 141
NEEDS_THE_SERVICE = "This command needs the service, which is not installed: pip install 'scenograph[service]'."
COMMANDS = (
    serving.serve,
    serving.settings,
    serving.mcp,
    serving.doctor,
    sources.init,
    pictures.render,
    pictures.validate,
    pictures.normalize,
    sources.import_source,
    sources.sync,
    sources.diff,
    operating.keys,
    operating.accounts,
    operating.purge,
    terminal.completion,
)


class _NoReaderError(Exception):
    """The reader of standard output is gone, such as `head`. Click would end with 1, as after a failure."""


class _Program(click.Group):
    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Reads the words of the call; --help and --version answer here."""
        with _broken_pipes_told():
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> object:
        with _broken_pipes_told():
            return super().invoke(ctx)


@contextmanager
def _broken_pipes_told() -> Generator[None]:
    try:
        yield
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
    """Run a command; `arguments` default to those of the process. The process ends with the command's exit code."""
    output = cast("TextIO | None", sys.stdout)  # None for a process started without standard output
    _escape_foreign_letters()
    try:
        try:
            sys.exit(_ended(arguments))
        finally:
            if output is not None:
                output.flush()
    except (_NoReaderError, BrokenPipeError):
        _forget_output()  # end silently, as programs do when the reader of a pipe is gone
        sys.exit(READER_LEFT)
    except OSError as refused:
        if refused.errno != ENOSPC:
            raise
        _forget_output()
        leave(f"Standard output: {refused.strerror}.", REFUSED)


def _ended(arguments: Sequence[str] | None) -> int:
    """The exit code of a finished command."""
    try:
        return program.main(arguments, prog_name="scenograph", standalone_mode=False) or 0
    except NoArgsIsHelpError as bare:
        click.echo(bare.message)
        return 0
    except click.ClickException as refused:
        refused.show()
        return refused.exit_code
    except click.Abort:
        return INTERRUPTED
    except ModuleNotFoundError as missing:
        name = (missing.name or "").partition(".")[0]
        if name in ("", "scenograph"):
            raise
        leave(f"{NEEDS_THE_SERVICE} ({name} is not installed.)", REFUSED)


def _escape_foreign_letters() -> None:
    """Escape letters that the terminal's code page lacks, as on Windows, instead of ending with an error."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _forget_output() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
