"""Open connections, in total and by network, and the choice of connections to close (R-FAIR-4).

A connection waits until the head of a request is complete; from then it works until the reply is sent. Working
connections are never cut. Among waiting connections those without any complete head go first, the oldest first: a
client that opens silent connections closes its own.
"""

from __future__ import annotations

import asyncio
import ipaddress
from collections import Counter, OrderedDict
from typing import Protocol

from scenograph.service.rate_limits import neighbourhood_of

GRACE_SECONDS = 0.5  # for a new connection to send its head, regardless of the number of connections
KEPT_FOR_KEYS = 50  # requests of a network beyond its limit, for those with a key and for health checks


class Closable(Protocol):
    """A connection; the same object throughout its life."""

    def close_now(self) -> None:
        """Close the connection, which waits for a request."""
        ...


class Connections:
    """The open connections of a server: at most `most` in total and `per_network` from a network. Connections of
    `proxies` (comma-separated addresses and networks) carry many clients and count in total only. Lives on a single
    event loop."""

    def __init__(self, most: int, per_network: int, proxies: str = "") -> None:
        self._most = most
        self._per_network = per_network
        self._proxies = [ipaddress.ip_network(part) for part in proxies.split(",") if part]
        self._networks: dict[Closable, str] = {}
        self._silent: OrderedDict[Closable, None] = OrderedDict()  # no whole head yet
        self._kept: OrderedDict[Closable, None] = OrderedDict()  # after a reply
        self._open: Counter[str] = Counter()
        self._working: Counter[str] = Counter()
        self._trims: set[str] = set()

    @property
    def count(self) -> int:
        """How many are open."""
        return len(self._networks)

    def opened(self, connection: Closable, host: str) -> None:
        """Register a new connection. The limits may close other connections, or this connection as the last resort."""
        network = self._network_of(host)
        self._networks[connection] = network
        self._open[network] += 1
        self._silent[connection] = None
        if self._is_beyond(network) and network not in self._trims:
            self._trims.add(network)
            asyncio.get_running_loop().call_later(GRACE_SECONDS, self._trim, network)
        while len(self._networks) > self._most:
            self._close_first([*self._silent][:1] or [*self._kept][:1])

    def works(self, connection: Closable, *, is_preferred: bool) -> bool:
        """A request begins; whether its network has room. `is_preferred`: with a key, or a health check."""
        network = self._networks.get(connection, "")
        self._silent.pop(connection, None)
        self._kept.pop(connection, None)
        self._working[network] += 1
        room = self._per_network + (KEPT_FOR_KEYS if is_preferred else 0)
        return not network or self._working[network] <= room

    def waits(self, connection: Closable) -> None:
        """The reply is sent, and another request may come."""
        if connection in self._networks and connection not in self._kept:
            self._rests(self._networks[connection])
            self._kept[connection] = None

    def leaves_network(self, connection: Closable) -> None:
        """Exempt the connection from its network's limit: an owner's stream, counted by owner."""
        network = self._networks.get(connection, "")
        if network:
            self._less(self._open, network)
            self._rests(network)
            self._networks[connection] = ""
            self._open[""] += 1
            self._working[""] += 1

    def closed(self, connection: Closable) -> None:
        """Unregister the connection."""
        network = self._networks.pop(connection, None)
        if network is None:
            return
        waited = connection in self._silent or connection in self._kept
        self._silent.pop(connection, None)
        self._kept.pop(connection, None)
        self._less(self._open, network)
        if not waited:
            self._rests(network)

    def _trim(self, network: str) -> None:
        self._trims.discard(network)
        waiting = [one for one in (*self._silent, *self._kept) if self._networks[one] == network]
        self._close_first(waiting[: max(0, self._open[network] - self._per_network)])

    def _close_first(self, victims: list[Closable]) -> None:
        for victim in victims:
            self.closed(victim)
            victim.close_now()

    def _is_beyond(self, network: str) -> bool:
        return bool(network) and self._open[network] > self._per_network

    def _network_of(self, host: str) -> str:
        """The network of an address; empty for a proxy, which serves clients of many networks."""
        try:
            address = ipaddress.ip_address(host)
        except ValueError:
            return host
        return "" if any(address in proxies for proxies in self._proxies) else neighbourhood_of(host)

    def _rests(self, network: str) -> None:
        self._less(self._working, network)

    @staticmethod
    def _less(counter: Counter[str], network: str) -> None:
        counter[network] -= 1
        if counter[network] <= 0:
            del counter[network]
