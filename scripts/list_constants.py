#!/usr/bin/env python3
# ruff: noqa: T201 (it reports to whoever runs it)
"""Writes docs/constants.md: the numbers that decide a picture, one table a stage.

    uv run python scripts/list_constants.py

A number stands where it is used. The comment behind it (or above it, or the sentence below it) says its unit and why it
is so; the page gathers them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
ENGINE = ROOT / "src" / "scenograph" / "engine"
PAGE = ROOT / "docs" / "constants.md"
STAGES = ("costs", "style", "measure", "place", "route", "kernels", "page", "canvas", "draw")
HEAD = """# The numbers of the stages

Written by `uv run python scripts/list_constants.py` from the constants of the engine; do not
edit. Lengths are in px. The costs by which layouts and courses are compared
are one table; further prices are compared only with those of the same module.
"""


class Constant(NamedTuple):
    """A number (or several) of a module: its name, its value as it is written, and its unit and reason."""

    module: str
    name: str
    value: str
    reason: str


def constants(stage: str) -> Iterator[Constant]:
    """The numbers at module level of a stage, in the order of its modules."""
    files = sorted((ENGINE / stage).rglob("*.py")) or [ENGINE / f"{stage}.py"]
    for file in files:
        text = file.read_text("utf-8")
        lines, body = text.splitlines(), ast.parse(text).body
        for node, following in zip(body, [*body[1:], None], strict=True):
            named = _named(node)
            if named is not None:
                name, value = (ast.unparse(part).strip("()") for part in named)
                yield Constant(file.relative_to(ENGINE).as_posix(), name, value, _reason(lines, node, following))


def page() -> str:
    """The text of docs/constants.md."""
    parts = [HEAD]
    for stage in STAGES:
        parts.append(
            f"\n## {stage.capitalize()}\n\n| constant | value | unit and reason | module |\n|---|---|---|---|\n"
        )
        rows = (f"| `{one.name}` | {one.value} | {_cell(one.reason)} | `{one.module}` |\n" for one in constants(stage))
        parts.extend(rows)
    return "".join(parts)


def _named(node: ast.stmt) -> tuple[ast.expr, ast.expr] | None:
    """The name and the value of a constant; None for any other statement."""
    match node:
        case ast.Assign(targets=[name], value=value) if _is_number(value):
            return name, value
        case ast.AnnAssign(target=name, value=ast.expr() as value) if _is_number(value):
            return name, value
        case _:
            return None


def _is_number(value: ast.expr) -> bool:
    match value:
        case ast.Constant(value=bool()):
            return False
        case ast.Constant(value=int() | float()):
            return True
        case ast.UnaryOp():
            return _is_number(value.operand)
        case ast.BinOp():
            return _is_number(value.left) and _is_number(value.right)
        case ast.Tuple():
            return bool(value.elts) and all(map(_is_number, value.elts))
        case _:
            return False


def _reason(lines: list[str], node: ast.stmt, following: ast.stmt | None) -> str:
    """The comment on the lines of a constant, else the sentence below it, else the comment above it."""
    own = [line.partition("# ")[2] for line in lines[node.lineno - 1 : node.end_lineno] if "# " in line]
    if own:
        return own[0]
    if isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant):
        return " ".join(str(following.value.value).split())
    above: list[str] = []
    at = node.lineno - 2
    while at >= 0 and lines[at].startswith("# "):
        above.insert(0, lines[at][2:])
        at -= 1
    return " ".join(above)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def main() -> int:
    """Write the page."""
    PAGE.write_text(page(), "utf-8")
    print(f"{sum(1 for stage in STAGES for _ in constants(stage))} constants")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
