"""Commands of the command line, run in the process of the tests: starting one of its own takes longer than most do."""

from __future__ import annotations

import sys
from contextlib import chdir
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

import pytest

from scenograph.cli import app


class Done(NamedTuple):
    """What a command left behind."""

    returncode: int
    stdout: bytes
    stderr: bytes


def run_here(*arguments: str, given: bytes = b"", folder: Path | str = ".") -> Done:
    """The command's end; `given` is its standard input, `folder` the one that it runs in."""
    out, err = (TextIOWrapper(BytesIO(), write_through=True) for _ in range(2))
    with (
        chdir(folder),
        patch.object(sys, "stdin", TextIOWrapper(BytesIO(given))),
        patch.object(sys, "stdout", out),
        patch.object(sys, "stderr", err),
        pytest.raises(SystemExit) as left,
    ):
        app(list(arguments))
    return Done(int(left.value.code or 0), *(written(stream) for stream in (out, err)))


def written(stream: TextIOWrapper) -> bytes:
    stream.seek(0)
    return stream.buffer.read()
