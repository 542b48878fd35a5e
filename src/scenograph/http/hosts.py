"""The trusted host names of the service (R-SAFE-5). A forged `Host` must not come back in an address, and a page whose
host name was rebound to this machine (DNS rebinding) must not reach a local service."""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import urlsplit

from scenograph.late_dataclasses import dataclass

HOSTS = "hosts"  # a member of a request's state on a real server
LOOPBACK_NAMES = ("localhost", "127.0.0.1", "[::1]")
_HOST = re.compile(r"(?P<name>\[[0-9A-Fa-f:.%]+\]|[^:\[\]/@?#\s]+)(?::(?P<port>[0-9]{1,5}))?")


@dataclass(frozen=True, slots=True)
class KnownHosts:
    """`names` may be returned to a caller. Unknown names are refused if `is_strict`, else served and never returned."""

    names: frozenset[str]
    is_strict: bool

    def knows(self, host: str) -> bool:
        """Whether a `Host` header has a known name, at any port."""
        found = _HOST.fullmatch(host.strip().lower())
        return found is not None and found["name"].removesuffix(".") in self.names


def known_hosts(
    bound: str, allowed: Iterable[str], public_site: str | None, *, asks_no_key: bool = False
) -> KnownHosts:
    """The names of a service bound to the address `bound`.

    With a `public_site` no header is ever returned, and names are refused only if `allowed` is given. A service that
    `asks_no_key` accepts only loopback names, `allowed` and the host of `public_site`, at any bound address: otherwise
    every page in a browser on its network could act as its owner.
    """
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
    """host:port as written in a URL."""
    host, port = name[:2]
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
