"""The terminal: completion in shells, and the end of a failed command."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, NoReturn

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

# The end of a failed command: a line on standard error, and an exit code.

REFUSED, CANNOT_START = 1, 2
# Controls, lone surrogates, line separators, and controls of text direction.
STEERING = re.compile("[\0-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def leave(sentence: str, code: int) -> NoReturn:
    """Say why on standard error and end the program."""
    print(plain(sentence, kept="\n"), file=sys.stderr)
    sys.exit(code)


def plain(text: str, kept: str = "", form: str = "") -> str:
    """The text with terminal control characters escaped, except `kept`: a name from a document or a file must not steer
    the terminal. `form` formats an escape, by default Python's."""

    def escaped(found: re.Match[str]) -> str:
        char = found[0]
        return char if char in kept else form.format(ord(char)) if form else ascii(char)[1:-1]

    return STEERING.sub(escaped, text)


# Completion in shells: values of options, names of files, and the script that a shell reads.

SHELLS = ("bash", "zsh", "fish")
VARIABLE = "_SCENOGRAPH_COMPLETE"
FILE = click.Path(allow_dash=True)
"""The type of an argument that is a file or -: shells complete it; whether it is there, the command says."""


def completes(*values: str) -> Callable[[click.Context, click.Parameter, str], list[CompletionItem]]:
    """Completion of the typed beginning by the given values."""

    def found(_context: click.Context, _parameter: click.Parameter, typed: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem  # noqa: PLC0415 - shells alone ask

        return [CompletionItem(value) for value in values if value.startswith(typed)]

    return found


@click.command
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print a script for SHELL that completes commands.

    It completes options, their values and names of files too.

    For bash, in ~/.bashrc: eval "$(scenograph completion bash)". For zsh, in ~/.zshrc after compinit:
    eval "$(scenograph completion zsh)". For fish, in ~/.config/fish/config.fish: scenograph completion fish | source
    """
    from click.shell_completion import ShellComplete, get_completion_class  # noqa: PLC0415 - rarely asked for

    kind = get_completion_class(shell)
    program = context.find_root().command
    if kind is not None:
        # The class of bash would start a bash to ask for its version.
        print(ShellComplete.source(kind(program, {}, "scenograph", VARIABLE)))
