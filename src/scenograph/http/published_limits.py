"""The limits of requests and replies, a row each, for the page of the API (R-LIMIT-1).

What bounds a document stands in `scene/limits.py`. A limit that a setting changes names it; its default stands there.
"""

from __future__ import annotations

from typing import NamedTuple

from scenograph.scene.strict_json import MAX_DEPTH
from scenograph.service.lifecycle import DELETIONS
from scenograph.wire.limits import (
    ICON_QUERY_LENGTH,
    KEY_NAME_LENGTH,
    MAX_SCALE,
    MIN_SCALE,
    PROBLEM_LENGTH,
    SEARCH_LENGTH,
    SOURCE_BYTES,
)


class PublishedLimit(NamedTuple):
    """What is bounded, and the code of the refusal; none where the connection is closed or the call waits. `bound` is
    the figure; `setting` the variable where the operator chooses it."""

    what: str
    bound: str = ""
    setting: str = ""
    refusal: str = ""


# fmt: off
PUBLISHED_LIMITS = (
    PublishedLimit("Address and headers together", setting="MAX_HEADER_BYTES", refusal="headers_too_large"),
    PublishedLimit("Time for them to arrive", setting="HEAD_TIMEOUT_SECONDS"),
    PublishedLimit("Request body", setting="MAX_BODY_BYTES", refusal="body_too_large"),
    PublishedLimit("Time for it to arrive", setting="BODY_TIMEOUT_SECONDS", refusal="request_timeout"),
    PublishedLimit("Levels of nested JSON", f"{MAX_DEPTH}", refusal="invalid_json"),
    PublishedLimit("Source of an import", f"{SOURCE_BYTES / 2**20:g} MiB", refusal="body_too_large"),
    PublishedLimit("Elements of a document, without a key", setting="PUBLIC_MAX_ELEMENTS", refusal="scene_too_large"),
    PublishedLimit("PNG", setting="MAX_PNG_MEGAPIXELS", refusal="invalid_request"),
    PublishedLimit("`scale` of a PNG", f"{MIN_SCALE:g} to {MAX_SCALE:g}", refusal="invalid_request"),
    PublishedLimit("Time of one drawing", setting="RENDER_TIMEOUT_SECONDS", refusal="render_timeout"),
    PublishedLimit("The same without a key", setting="PUBLIC_RENDER_TIMEOUT_SECONDS", refusal="render_timeout"),
    PublishedLimit("Memory of one drawing", setting="RENDER_MEMORY_MB", refusal="render_failed"),
    PublishedLimit("Drawings at once, of one owner or network", setting="RENDERS_AT_ONCE"),
    PublishedLimit("Time that a drawing may wait for its turn", setting="RENDER_QUEUE_SECONDS", refusal="overloaded"),
    PublishedLimit("Engine seconds a minute, of one owner", setting="ENGINE_SECONDS", refusal="rate_limited"),
    PublishedLimit("The same, of one network without a key", setting="PUBLIC_ENGINE_SECONDS", refusal="rate_limited"),
    PublishedLimit("Requests a minute, of one key", setting="RATE_LIMIT_RPM", refusal="rate_limited"),
    PublishedLimit("Requests at once, of one key", setting="RATE_LIMIT_BURST", refusal="rate_limited"),
    PublishedLimit("Requests a minute, of all keys of one account", setting="ACCOUNT_RATE_LIMIT_RPM",
                   refusal="rate_limited"),
    PublishedLimit("Keys of one account", setting="MAX_KEYS", refusal="quota_exceeded"),
    PublishedLimit("Scenes of one account", setting="MAX_SCENES", refusal="quota_exceeded"),
    PublishedLimit("Bytes of all revisions of one account", setting="MAX_STORED_BYTES", refusal="quota_exceeded"),
    PublishedLimit("Requests a minute, of one address", setting="PUBLIC_RATE_LIMIT_RPM", refusal="rate_limited"),
    PublishedLimit("Requests at once, of one address", setting="PUBLIC_RATE_LIMIT_BURST", refusal="rate_limited"),
    PublishedLimit("Published pages a minute, of one network", setting="PAGES_PER_MINUTE", refusal="rate_limited"),
    PublishedLimit("Sign-ups an hour, of one address", setting="SIGNUPS_PER_HOUR", refusal="rate_limited"),
    PublishedLimit("Deletions a minute, of one owner", f"{DELETIONS.most}", refusal="rate_limited"),
    PublishedLimit("Connections in all", setting="MAX_CONNECTIONS", refusal="overloaded"),
    PublishedLimit("Connections of one network", setting="CONNECTIONS_PER_NETWORK", refusal="overloaded"),
    PublishedLimit("Time that a connection is kept for another request", setting="KEEP_ALIVE_SECONDS"),
    PublishedLimit("Event streams of one owner", setting="STREAMS_PER_OWNER", refusal="rate_limited"),
    PublishedLimit("`problem` for support", f"1 to {PROBLEM_LENGTH} characters", refusal="invalid_request"),
    PublishedLimit("Name of a key", f"1 to {KEY_NAME_LENGTH} characters", refusal="invalid_request"),
    PublishedLimit("`q` of a list of scenes", f"{SEARCH_LENGTH} characters", refusal="invalid_request"),
    PublishedLimit("`q` of icons", f"{ICON_QUERY_LENGTH} characters", refusal="invalid_request"),
)
# fmt: on
