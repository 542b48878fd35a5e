"""The remark that a text is higher than the room it has (TEXT_OVERFLOW), the same for every kind of element. px."""

from __future__ import annotations

from scenograph.diagnostics import TEXT_OVERFLOW, Report

_SLACK = 0.5  # an overflow smaller than this is not seen


def report_overflow(report: Report, element_id: str, required: float, available: float) -> None:
    """Report a text that needs the first height where there is the second, unless it fits."""
    if required <= available + _SLACK:
        return
    required, available = round(required, 2), round(max(available, 0.0), 2)
    report.add(
        TEXT_OVERFLOW,
        element_id=element_id,
        data={"requiredHeight": required, "availableHeight": available},
        id=element_id,
        required=required,
        available=available,
    )
