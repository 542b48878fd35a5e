"""What happens to a test whose server or browser is not installed: it is skipped, or fails where all are asked for."""

from __future__ import annotations

import os
from typing import NoReturn

import pytest

ARE_REQUIRED = os.environ.get("SCENOGRAPH_REQUIRE_SERVERS") == "1"


def not_installed(package: str) -> NoReturn:
    """Skip the running test, or fail it where SCENOGRAPH_REQUIRE_SERVERS is 1. `package` is Debian's name."""
    sentence = f"needs Debian's {package}"
    if ARE_REQUIRED:
        pytest.fail(sentence)
    pytest.skip(sentence)
