"""What an address counts as where a whole network is meant (R-FAIR-2)."""

from __future__ import annotations

import functools
import ipaddress

IPV4_NETWORK, IPV6_NETWORK = 24, 56
KEPT = 1024


@functools.lru_cache(KEPT)  # asked for several times a request
def neighbourhood_of(host: str) -> str:
    """IPv4 its /24, IPv6 its /56; anything else as it stands. Narrower than that, one caller is many."""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped
    prefix = IPV4_NETWORK if isinstance(address, ipaddress.IPv4Address) else IPV6_NETWORK
    return str(ipaddress.ip_network((address, prefix), strict=False))
