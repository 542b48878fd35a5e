"""The end of a failed command: a line on standard error, and an exit code."""

from __future__ import annotations

import re
import sys
from typing import NoReturn

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
