"""Which names of the service are believed (R-SAFE-5).

A `Host` that the caller made up must not come back in an address, and a page whose own name was turned to this machine
(DNS rebinding) must not reach a service that is meant for this machine alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import urlsplit

from scenograph.late_dataclasses import dataclass

HOSTS = "hosts"  # of a request's state, where a real server answers
LOOPBACK_NAMES = ("localhost", "127.0.0.1", "[::1]")
_HOST = re.compile(r"(?P<name>\[[0-9A-Fa-f:.%]+\]|[^:\[\]/@?#\s]+)(?::(?P<port>[0-9]{1,5}))?")


@dataclass(frozen=True, slots=True)
class KnownHosts:
    """`names` may be told back to a caller; any other is refused where `is_strict`, else answered and never told."""

    names: frozenset[str]
    is_strict: bool

    def knows(self, host: str) -> bool:
        """Whether a `Host` header names one of them, at whatever port."""
        found = _HOST.fullmatch(host.strip().lower())
        return found is not None and found["name"].removesuffix(".") in self.names


def known_hosts(
    bound: str, allowed: Iterable[str], public_site: str | None, *, asks_no_key: bool = False
) -> KnownHosts:
    """The names of a service that is bound to the address `bound`. Where `public_site` says how it is reached, no
    header is ever told back, and names are refused only where `allowed` are given. A service that `asks_no_key` refuses
    all but loopback names, those of `allowed` and that of `public_site`, wherever it is bound: every page that a
    browser on its network shows could otherwise act as its owner."""
    own = _bracketed(bound)
    given = frozenset(name.lower() for name in allowed)
    if asks_no_key:
        site = urlsplit(public_site or "").hostname
        return KnownHosts(given | {*LOOPBACK_NAMES, *([_bracketed(site)] if site else [])}, is_strict=True)
    is_loopback = bound.startswith("127.") or bound in {"::1", "localhost"}
    return KnownHosts(given | {*LOOPBACK_NAMES, own.lower()}, bool(given) or (is_loopback and public_site is None))


def _bracketed(name: str) -> str:
    return f"[{name}]" if ":" in name else name


def address_of_socket(name: tuple[str, int]) -> str:
    """host:port as it stands in an address."""
    host, port = name[:2]
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
