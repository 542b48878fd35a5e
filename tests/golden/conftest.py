"""The option that writes the goldens anew, and what holds while any golden is drawn."""

from __future__ import annotations

import builtins
import inspect
from collections.abc import Iterable
from typing import Any

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write the goldens instead of comparing with them")


@pytest.fixture
def updating(request: pytest.FixtureRequest) -> bool:
    # Without a default the option is unknown when pytest was not started on this folder.
    return bool(request.config.getoption("--update-golden", default=False))


@pytest.fixture(autouse=True)
def only_whole_numbers_are_summed(monkeypatch: pytest.MonkeyPatch) -> None:
    """`sum` rounds fractions otherwise from Python 3.12 on, so the engine adds them with `math.fsum`."""
    builtin = builtins.sum

    def strict(values: Iterable[Any], /, start: Any = 0) -> Any:
        listed = list(values)
        frame = inspect.currentframe()
        caller = frame.f_back.f_globals.get("__name__", "") if frame and frame.f_back else ""
        if caller.startswith("scenograph.engine"):
            assert not any(isinstance(one, float) for one in listed), f"{caller} sums fractions: use math.fsum"
        return builtin(listed, start)

    monkeypatch.setattr(builtins, "sum", strict)
