"""Processes that tests wait for, and what happens to a test whose server or browser is not installed: it is skipped, or
fails where all are asked for."""

from __future__ import annotations

import os
import select
from typing import NoReturn

import pytest

ARE_REQUIRED = os.environ.get("SCENOGRAPH_REQUIRE_SERVERS") == "1"


def not_installed(package: str) -> NoReturn:
    """Skip the running test, or fail it where SCENOGRAPH_REQUIRE_SERVERS is 1. `package` is Debian's name."""
    sentence = f"needs Debian's {package}"
    if ARE_REQUIRED:
        pytest.fail(sentence)
    pytest.skip(sentence)


def ended(pid: int, seconds: float = 30.0) -> bool:
    """Whether the process ends within `seconds`; it need not be a child of ours."""
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([handle], [], [], seconds)[0])
    finally:
        os.close(handle)
