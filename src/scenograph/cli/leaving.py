"""How a command ends that cannot do what it is asked: one line on standard error, and an exit code."""

from __future__ import annotations

import sys
from typing import NoReturn

REFUSED, CANNOT_START = 1, 2


def leave(sentence: str, code: int) -> NoReturn:
    """Say why on standard error and end the program."""
    print(sentence, file=sys.stderr)
    sys.exit(code)
