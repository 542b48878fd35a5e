"""How a command ends that cannot do what it is asked: one line on standard error, and an exit code."""

from __future__ import annotations

import re
import sys
from typing import NoReturn

REFUSED, CANNOT_START = 1, 2
# Controls, lone surrogates, separators of lines, and what turns the direction of the letters around it.
STEERING = re.compile("[\0-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def leave(sentence: str, code: int) -> NoReturn:
    """Say why on standard error and end the program."""
    print(plain(sentence, kept="\n"), file=sys.stderr)
    sys.exit(code)


def plain(text: str, kept: str = "", form: str = "") -> str:
    """The text with characters that a terminal obeys escaped (`kept` ones are not): a name out of a document or a file
    must not steer it. `form` of an escape: Python's where none is given."""

    def escaped(found: re.Match[str]) -> str:
        char = found[0]
        return char if char in kept else form.format(ord(char)) if form else ascii(char)[1:-1]

    return STEERING.sub(escaped, text)
