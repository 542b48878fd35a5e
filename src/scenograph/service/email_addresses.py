"""E-mail addresses as they are kept: one form for all ways to write the same one.

Accepted is what browsers accept (HTML Living Standard, "valid e-mail address"), with a dot in the domain and within
the lengths of RFC 5321; nothing of it can end a header line. Domains with letters beyond ASCII become their IDNA form.
"""

from __future__ import annotations

import re

from scenograph.service.refusals import invalid_request
from scenograph.wire.limits import EMAIL_LENGTH

MAX_LOCAL = 64
_LOCAL = re.compile(r"[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*")
_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_DOMAIN = re.compile(rf"(?:{_LABEL}\.)+{_LABEL}")


def normalized(value: object) -> str:
    """The address in lower case; invalid_request when it is none that mail can be sent to."""
    text = value.strip() if isinstance(value, str) else ""
    local, _, domain = text[: 2 * EMAIL_LENGTH].lower().rpartition("@")
    domain = _ascii(domain)
    address = f"{local}@{domain}"
    possible = _LOCAL.fullmatch(local) and _DOMAIN.fullmatch(domain)
    if not possible or len(local) > MAX_LOCAL or len(address) > EMAIL_LENGTH or len(text) > EMAIL_LENGTH:
        raise invalid_request(
            f"email must be an address such as ann@example.org, of at most {EMAIL_LENGTH} characters."
        )
    return address


def _ascii(domain: str) -> str:
    try:
        return domain.encode("idna").decode("ascii").lower()
    except UnicodeError:
        return ""
