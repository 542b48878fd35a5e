"""The option that writes the goldens anew."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write the goldens instead of comparing with them")


@pytest.fixture
def updating(request: pytest.FixtureRequest) -> bool:
    # Without a default the option is unknown when pytest was not started on this folder.
    return bool(request.config.getoption("--update-golden", default=False))
