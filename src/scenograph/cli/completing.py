"""Completion in shells: values of options, names of files, and the script that a shell reads."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

SHELLS = ("bash", "zsh", "fish")
VARIABLE = "_SCENOGRAPH_COMPLETE"
FILE = click.Path(allow_dash=True)
"""The type of an argument that is a file or -: shells complete it; whether it is there, the command says."""


def completes(*values: str) -> Callable[[click.Context, click.Parameter, str], list[CompletionItem]]:
    """Completion of the typed beginning by these values."""

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
