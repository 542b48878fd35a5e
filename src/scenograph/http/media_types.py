"""Which of the media types on offer a caller would rather have, and whether compressed (RFC 9110, section 12.5)."""

from __future__ import annotations

from collections.abc import Sequence

JSON, HTML = "application/json", "text/html"


def preferred(accept: str, offered: Sequence[str]) -> str:
    """The best of `offered` for an Accept header; the earlier wins a tie, the first when nothing is accepted."""
    ranges = [_range(part) for part in accept.split(",") if part.strip()]
    if not ranges:
        return offered[0]
    return max(offered, key=lambda kind: _weight(kind, ranges))


def takes_gzip(accept_encoding: str) -> bool:
    """Whether an Accept-Encoding header prefers a compressed body to a plain one (section 12.5.3)."""
    weights = dict(_range(part) for part in accept_encoding.split(",") if part.strip())
    gzip = weights.get("gzip", weights.get("x-gzip", weights.get("*", 0.0)))
    return gzip > 0 and gzip >= weights.get("identity", 0.0)


def _range(part: str) -> tuple[str, float]:
    kind, *parameters = (piece.strip().lower() for piece in part.split(";"))
    weight = next((piece[2:] for piece in parameters if piece.startswith("q=")), "1")
    try:
        return kind, min(max(float(weight), 0.0), 1.0)
    except ValueError:
        return kind, 0.0


def _weight(kind: str, ranges: Sequence[tuple[str, float]]) -> float:
    """The weight of the most specific range that covers `kind`."""
    group = kind.partition("/")[0]
    for cover in (kind, f"{group}/*", "*/*"):
        weights = [weight for covered, weight in ranges if covered == cover]
        if weights:
            return max(weights)
    return 0.0
