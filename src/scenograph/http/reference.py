"""The page `docs/http-api.md`, written from the tables in use: ROUTES, STATUS, the headers.

uv run python -m scenograph.http.reference > docs/http-api.md
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from scenograph.http.problems import STATUS
from scenograph.http.rate_limiting import LIMIT_HEADERS
from scenograph.http.routes import ROUTES, Auth, Route, refusals_of
from scenograph.scene.strict_json import MAX_DEPTH
from scenograph.service.lifecycle import DELETIONS
from scenograph.service.render_requests import INLINE, PUBLISHED, RENDER_OPTIONS, STORED
from scenograph.wire.formats import FORMATS
from scenograph.wire.names import (
    ICON_QUERY_LENGTH,
    KEY_NAME_LENGTH,
    MAX_SCALE,
    MIN_SCALE,
    PROBLEM_LENGTH,
    SEARCH_LENGTH,
    SOURCE_BYTES,
)

# Limits of requests and replies, a row each, for the page of the API (R-LIMIT-1). Limits of documents stand in
# `scene/limits.py`. A limit with a setting names it; its default stands there.


class PublishedLimit(NamedTuple):
    """A bound and the code of its refusal; no code where the connection is closed or the call waits. `bound` is the
    figure; `setting` the variable for a bound chosen by the operator."""

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


INTRODUCTION = """# The HTTP API

<!-- Written by `uv run python -m scenograph.http.reference`; change the tables, not this page. -->

Paths are relative to the service's address, by default `http://127.0.0.1:3000`. Every field of every body, with an
example to try, is at `/docs` of a running service and, for programs, at `/openapi.json` (OpenAPI 3.1). Scene documents
and operations are described in [scene-format.md](scene-format.md).

- **Keys.** Routes marked *key* need `Authorization: Bearer <API_KEY>`. On the other routes a known key counts, and any
  other one is ignored. A scene belongs to the owner of the key that created it. Unless the owner shares it nobody else
  sees it: another owner's id and an id that does not exist get the same answer.
- **Bodies** are JSON in UTF-8, without compression, at most 2 MiB and 32 levels deep. Duplicate members and NaN are
  refused.
- **Pictures** come in one of the formats below, `svg` by default. With `"diff": {"fromRevision": 1}` the picture shows
  what was added (green), removed (red, dashed) and modified (amber) since that revision of a stored scene. With
  `"watermark": true` it shows `sceneId · revision N · createdAt`. With `"embed": true` an SVG or PNG carries its scene,
  which `scenograph import` and `scenograph.read` read back; published pictures never do.
- **Writes that return.** `"computed": true` and `"render": {…}` (the members of a render request but `revision`) on
  applyOps, restore and sync, `?computed=true&render=svg` on creation: the reply waits for the new revision's places and
  picture. It has `computed`, `output` with the picture's diagnostics, and `movedElementIds`: elements that the write
  does not touch and whose box differs by more than 1 px from the revision before. A write touches what it creates,
  resizes, moves (with its content), puts elsewhere or lays out anew: after `relayout` of two elements these two are not
  named, after a `relayout` of everything none is. The write itself never fails by its
  picture: `computed`, `output` and `movedElementIds` are null then, and the warning RENDER_FAILED tells the reason.
- **`Accept`.** On a render route, `Accept` with a format's media type gives the bare picture instead of JSON. It also
  chooses the format where the body does not. Where body and header disagree, the body counts and the reply is JSON.
- **Every reply** has `X-Request-Id`. To choose it, send one of 8 to 64 letters, digits, `.`, `_`, `-`. Replies above
  1 KB are compressed for clients that accept gzip. `HEAD` answers as `GET` does. `OPTIONS` and a 405 name the methods.
  Browsers of any origin may use the routes that need no key.
"""

REPETITION = """## Sending a request again

`POST /v1/scenes`, `applyOps`, comments and replies take an `Idempotency-Key` of 1 to 255 visible ASCII characters. Keys
belong to the caller's account. For 24 hours, the same key with the same request is not carried out again:

- The reply is the first one with its headers, and with `Idempotency-Replayed: true`. That holds for what was carried
  out and for what was refused for what it is (409, 422).
- The same key with another request is a 422 `idempotency_mismatch`.
- Two equal requests at once are carried out once. The second waits up to two seconds for the reply; after that it is a
  409 `idempotency_in_progress`.
- A picture that comes with a reply is drawn again, of the same revision.
- No other reply is kept, above all no 429, 503 or other 5xx: send the request again with the same key, and it is
  carried out.

An edit without such a key is safe to repeat as well. It names the revision that it starts from, and a revision has only
one successor.
"""

ACCOUNTS = """## Accounts

`POST /v1/accounts` with an e-mail address makes an account, if the operator has opened sign-up (`SIGNUP_ENABLED=true`;
otherwise 403 `forbidden`). The reply is 202 with the account's first key, which is shown only there. The service sends
a mail with a link that works once, within 24 hours. The link's page, or `POST /v1/accounts/verify` with the link's
token, verifies the account. Until then the account can do everything, publishing included, except rendering stored
scenes (403 `email_not_verified`). The service sends the mail after the reply, and tries again for some minutes if it
fails. `POST /v1/accounts/resend` with the account's key sends another mail.

Every sign-up makes a new account, also for an address that has one which is not verified. The reply has the same
members in all cases, and an existing account is neither shown nor changed. Where an account has verified the address,
key and account in the reply open nothing, and the mail holds a link that signs in. One network address, and one e-mail
address, can sign up five times an hour (429 after that).

`GET /v1/account` tells the account, and of each quota how much is used: `keys`, `scenes` and `storedBytes`, each with
`used` and `limit` (null without one).

## Signing in with a browser

`POST /v1/sign-in` with an e-mail address answers 202 whatever the address, and mails a link if an account has verified
it. The link works once, within 15 minutes. Its page asks, and its button signs this browser in for 30 days: every
sign-in sets a fresh cookie, which no script can read and no other site's request brings along (`HttpOnly`,
`SameSite=Strict`; over HTTPS `Secure`, its name `__Host-scenograph`). With the cookie a page of the service calls every
route as with a key, and a request that changes something is taken only from such a page: the browser's
`Sec-Fetch-Site` or `Origin` must say so (403 `forbidden`). A key wins over a cookie.

Where the operator has set an OpenID provider, `GET /v1/oidc/start` leads to it and back (authorization code flow with
PKCE, state and nonce; `returnTo` is `/` or `/scenes/<id>`). An address that the provider says is verified joins the
account that has verified it; anybody else gets an account of their own. The flow belongs to the browser that began it,
for ten minutes, once.

`POST /v1/sign-out` ends the browser's session; `{"everywhere": true}` ends all sessions of the account, also when it is
sent with a key. API keys stay: `GET /v1/auth/keys` lists them, `DELETE /v1/auth/keys/{keyId}` revokes one.
"""

SHARING = """## Sharing a scene

A scene is its owner's alone until the owner shares it: `PUT /v1/scenes/{sceneId}/grants/{grantee}` with a `role`. The
grantee is an account's id or a mail address. A grant to an address holds for whoever has verified it, now or later, and
the reply is the same whether somebody has or not. A **viewer** reads, renders and exports, a **commenter** also
comments, an **editor** also edits, syncs and restores. Deleting, publishing, support and grants stay the owner's.
Beyond a role the reply is 403 `role_forbidden`; without a grant it is the 404 of a scene that is not there.

Others find the scene in their list, with `owner {accountId, name}` and their `role`, and name the owner in its address:
`GET /v1/scenes/checkout?owner=acc_5f0c`. Without `owner` an id means one's own scene. The end of a grant
(`DELETE …/grants/{grantee}`) holds once it is answered: no edit under it is written afterwards, and event streams close
with `grant_withdrawn`; its reply lists the `remaining` grants: one person may hold one by account and one by mail
address, and no reply tells whose an address is. Grants survive deletion and recovery and end with the purge; a scene
has at most 200. Revisions
count for the owner's bytes, engine time for whoever calls. `copyElements` copies from the scene itself and from the
caller's own scenes.

Comments stand in threads on an element, at a place or on the scene (`POST …/comments`, `…/{commentId}/replies`), are
resolved and opened again (`PATCH …/{commentId}`), and deleted by their author or the scene's owner. Viewers read them.
No document, export, public page or submission holds one. Event streams tell the changed ones by `comments`.
"""

LIMITS = """## Limits

Each key may make a burst of requests at once (10), refilled evenly (60 a minute). A refused request costs nothing.
Routes that need no key count for the address of the caller (IPv6: for its /56), and so do requests with a missing or
wrong key. With a known key such a request also counts there, and belongs to the key's owner.

All keys of an account together have five times that (`ACCOUNT_RATE_LIMIT_RPM`); a key's own limit comes first. An
account may have 50 keys (2 before its address is verified), 10,000 scenes that are not deleted, and 2 GiB of revisions
as they are stored, compressed. Bytes of a deleted scene count until it is purged. Beyond it a write is 409
`quota_exceeded` with `quota`, `used` and `limit`.

Callers share the time of the engine. Owners come before callers without a key, and half of the engine processes
(rounded down) never serve the latter. Two renders of one owner or network (IPv4 /24, IPv6 /56) run at once. Each owner
has 240 seconds of engine time a minute, each network without a key 40. What a write leaves for later, the places of the
elements, counts too. `RateLimit` and `RateLimit-Policy` tell what is
left as `engine-seconds`. Beyond it requests are refused with 429 `rate_limited`. A request for which there will be no
room in time is refused at once with 503 `overloaded`. Without a key a document may have 1,000 elements (413
`scene_too_large`), and a render may take five seconds. The operator may set other figures ([running.md](running.md)).
"""

OF_EVERY_BODY = {"invalid_json", "request_timeout", "body_too_large", "unsupported_media_type"}

MEANINGS: Mapping[str, str] = {
    "invalid_json": "The body is not JSON as it is read here; the sentence says where.",
    "format_not_available": "The format is not available for the scene's family; the message names those that are.",
    "invalid_request": "A parameter or member is wrong; the sentence names what is allowed.",
    "invalid_token": "The mailed token is not known, was used, or is older than 24 hours (15 minutes to sign in).",
    "sign_in_failed": "The organization's OpenID provider refused, or its answer cannot be trusted; the log says why.",
    "missing_api_key": "The route wants a key.",
    "invalid_api_key": "The key is not known, or was revoked.",
    "session_ended": "The session of this browser is over: signed out, or older than 30 days. Sign in again.",
    "account_suspended": "The operator has suspended the account; its data stay.",
    "email_not_verified": "Stored scenes are rendered once the account's email is verified.",
    "forbidden": "The key's role does not reach here, or the page of another site asks.",
    "role_forbidden": "The caller's role on the shared scene, in `role`, does not include this.",
    "not_found": "There is nothing at this address.",
    "scene_not_found": "The caller has no such scene (or it is deleted, or not published).",
    "revision_not_found": "The scene has no such revision.",
    "method_not_allowed": "`Allow` says which methods there are.",
    "request_timeout": "The body did not arrive in time.",
    "revision_conflict": "`baseRevision` is not current: `currentRevision` is, `changedElementIds` changed since.",
    "email_already_verified": "There is nothing to mail; the account is verified.",
    "scene_exists": "The id is taken; `currentRevision` tells where that scene is.",
    "scene_recently_deleted": "The id waits in the list of deleted scenes.",
    "scene_not_deleted": "Only a deleted scene can be restored.",
    "scene_in_support": "Make the scene private before publishing it.",
    "public_id_taken": "Another owner published this id first, or one whose page or picture has the same address.",
    "quota_exceeded": "The account holds as much as it may: `quota` is `keys`, `scenes` or `storedBytes`; `used` and "
    "`limit` are figures.",
    "idempotency_in_progress": "The first request with this Idempotency-Key still runs.",
    "body_too_large": "The body is beyond the limit.",
    "misdirected_request": "`Host` names another host than this service.",
    "unreadable_source": "Nothing of the source could be read; `diagnostics[0].data` has `line`, `column`, `expected`.",
    "scene_too_large": "Without a key: the document has more elements than are drawn without a key.",
    "unsupported_media_type": "Send `Content-Type: application/json`.",
    "validation_failed": "`diagnostics` lists every problem; nothing was stored.",
    "idempotency_mismatch": "The Idempotency-Key was sent with another request.",
    "rate_limited": "Come back in `Retry-After` seconds.",
    "headers_too_large": "Address and headers together are beyond the limit.",
    "internal_error": "A fault of the service; the request id finds it in the log.",
    "not_implemented": "Another format than JSON was asked for.",
    "overloaded": "All renderers are busy; try again in `Retry-After` seconds.",
    "render_failed": "The drawing broke off; the scene is kept.",
    "render_timeout": "The drawing took longer than it may.",
    "sign_in_unavailable": "The organization's OpenID provider cannot be reached at the moment.",
    "storage_unavailable": "The storage cannot be reached at the moment.",
}


def render_reference() -> str:
    """The whole page."""
    limits = (LIMITS, *_headers(), *_limits())
    return "\n".join((INTRODUCTION, *_formats(), *_routes(), REPETITION, SHARING, ACCOUNTS, *limits, *_errors()))


def _formats() -> Iterator[str]:
    yield "## Formats\n"
    yield "| format | media type | suffix | in JSON | what | families |"
    yield "|---|---|---|---|---|---|"
    for row in FORMATS.values():
        member = "contentBase64" if row.binary else "content"
        families = ", ".join(sorted(row.families or ())) or "all"
        yield f"| `{row.name}` | `{row.media_type}` | `{row.suffix}` | `{member}` | {row.title} | {families} |"
    yield ""
    yield "## Members of a render request\n"
    yield "| member | stored | inline | published | what |"
    yield "|---|---|---|---|---|"
    for option in RENDER_OPTIONS:
        marks = " | ".join("yes" if kind in option.where else "" for kind in (STORED, INLINE, PUBLISHED))
        yield f"| `{option.name}` | {marks} | {option.schema['description']} |"
    yield ""


def _routes() -> Iterator[str]:
    yield "## Routes\n"
    yield "Refusals named here are the route's own. Besides, a body may be refused as such (400, 408, 413, 415), a call"
    yield "for its key (401) or its limit (429), and the service may be short of something (503).\n"
    for tag in dict.fromkeys(route.tag for route in ROUTES):
        yield f"### {tag.capitalize()}\n"
        yield "| route | key | what | success | refusals |"
        yield "|---|---|---|---|---|"
        yield from (_row(route) for route in ROUTES if route.tag == tag)
        yield ""


def _row(route: Route) -> str:
    guarded = set(refusals_of(route)) - set(route.refusals)
    own = ", ".join(
        f"`{code}`" for code in route.refusals if code not in guarded | OF_EVERY_BODY and STATUS[code] < 500
    )
    key = "key" if route.auth is Auth.KEY else ""
    kinds = ", ".join((() if route.media_type == "application/json" else (route.media_type,)) + route.also)
    success = f"{route.status}{f' ({kinds})' if kinds else ''}"
    return f"| `{route.method} {route.path}` | {key} | {route.summary} | {success} | {own} |"


def _headers() -> Iterator[str]:
    yield "Every reply that was counted tells how it stands (`/health` and `/ready` never are):\n"
    yield "| header | value |"
    yield "|---|---|"
    yield from (f"| `{name}` | {text} |" for name, text in LIMIT_HEADERS.items())
    yield ""


def _limits() -> Iterator[str]:
    yield "A request that is too large is refused before any work is done. [running.md](running.md) has the defaults of"
    yield "the variables, [scene-format.md](scene-format.md#limits) the limits of a document.\n"
    yield "| limit | value, or the variable that sets it | refusal |"
    yield "|---|---|---|"
    for row in PUBLISHED_LIMITS:
        yield f"| {row.what} | {row.bound or f'`{row.setting}`'} | {f'`{row.refusal}`' if row.refusal else ''} |"
    yield ""


def _errors() -> Iterator[str]:
    yield "## Refusals\n"
    yield (
        'Every reply that is not a success is `{"error": sentence, "code": word, "requestId": …}`, some with further'
        " members."
    )
    yield "Sentences may change, codes do not.\n"
    yield "| status | code | meaning |"
    yield "|---|---|---|"
    yield from (f"| {status} | `{code}` | {MEANINGS[code]} |" for code, status in STATUS.items())
    yield ""


if __name__ == "__main__":
    sys.stdout.write(render_reference())
