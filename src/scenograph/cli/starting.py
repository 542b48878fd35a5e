"""The command that writes a first scene: init."""

# ruff: noqa: PLC0415

from __future__ import annotations

import json
import sys

import click

from scenograph.cli.files import write_whole
from scenograph.cli.leaving import REFUSED, leave, plain
from scenograph.scene.vocabulary import DIAGRAM_FAMILIES


@click.command(
    help=f"""Write a small scene of FAMILY to start from.

    FAMILY is one of {", ".join(DIAGRAM_FAMILIES)}; left out, {DIAGRAM_FAMILIES[0]}.
    """
)
@click.argument("family", default=DIAGRAM_FAMILIES[0])
@click.option("-o", "--out", default="scene.json", show_default=True, help="The file to write; it must be new.")
def init(family: str, *, out: str) -> None:
    from scenograph.scene.examples import EXAMPLES
    from scenograph.scene.near_names import Budget, nearest

    if family not in EXAMPLES:
        near = nearest(family, DIAGRAM_FAMILIES, Budget())
        hint = f" Did you mean {near}?" if near else ""
        leave(f"{family} is not a family.{hint} The families are: {', '.join(DIAGRAM_FAMILIES)}.", REFUSED)
    try:
        write_whole(out, f"{json.dumps(EXAMPLES[family], indent=2, ensure_ascii=False)}\n".encode(), new=True)
    except FileExistsError:
        leave(f"{out} exists already and was left as it is; name another file with -o.", REFUSED)
    except OSError as refused:
        leave(f"{out}: {refused.strerror}.", REFUSED)
    print(plain(f"Wrote {out}. Next: scenograph render {out}"), file=sys.stderr)
