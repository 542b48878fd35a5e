"""Signing up, proving an e-mail address, signing in and out; the account and its keys."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Path, Query, Request
from starlette.responses import RedirectResponse, Response

from scenograph.http.answers import NOT_STORED, json_response, timestamp
from scenograph.http.bodies import MAILED_TOKEN, NEW_ACCOUNT, NEW_KEY, SIGN_IN, SIGN_OUT
from scenograph.http.guards import CallerByKey, Serving, closed_object
from scenograph.http.pages.html import (
    SIGN_IN_LINK,
    VERIFYING_LINK,
    confirmation_page,
    expired_page,
    refused_page,
    sign_in_page,
    verified_page,
)
from scenograph.http.rate_limiting import address_of
from scenograph.http.sessions import (
    begin_session,
    flow_of,
    forget_session,
    keep_flow,
    require_own_page,
    token_of,
)
from scenograph.scene.json_values import JsonObject
from scenograph.service.accounts import normalized
from scenograph.service.errors import ServiceError, invalid_request
from scenograph.service.oidc import FLOW_LIFE, HOME, place_of

ACCEPTED, SEE_OTHER, BAD_REQUEST, FORBIDDEN = 202, 303, 400, 403
MAX_TOKEN_LENGTH = 200  # no mail holds a longer one

NewAccount = Annotated[JsonObject, Depends(closed_object(NEW_ACCOUNT))]
MailedToken = Annotated[JsonObject, Depends(closed_object(MAILED_TOKEN))]
Token = Annotated[str, Query(description="The token of the mailed link.")]


def open_account(request: Request, services: Serving, body: NewAccount) -> Response:
    """Sign up, if the operator allows it. The first key appears in this reply and never again; a mail with a single-use
    link goes to the address."""
    opened = services.sign_up.open(body.get("email"), address_of(request))
    key = {"id": opened.key.id, "key": opened.key.key, "name": opened.key.name}
    reply = {"accountId": opened.account_id, "email": opened.email, "apiKey": key}
    return json_response(reply, status=ACCEPTED)


def mail_again(services: Serving, caller: CallerByKey) -> Response:
    """Mail another link to the unverified address of the caller's account."""
    email = services.sign_up.resend(caller)
    return json_response({"accountId": caller.account_id, "email": email}, status=ACCEPTED)


def verify_account(services: Serving, body: MailedToken) -> Response:
    """Verify the account of a mailed token. A token is valid once, within 24 hours."""
    done = services.sign_up.verify(body.get("token"))
    reply = {"accountId": done.account_id, "emailVerifiedAt": timestamp(done.email_verified_at)}
    return json_response(reply)


async def show_verification(token: Token = "") -> Response:
    """The page of a mailed link, with a button. Opening the page verifies nothing, because mail programs open links
    before people do."""
    return confirmation_page(token) if len(token) <= MAX_TOKEN_LENGTH else expired_page(VERIFYING_LINK)


def confirm_verification(services: Serving, token: Token = "") -> Response:
    """The action of the page's button: verify the account."""
    try:
        services.sign_up.verify(token)
    except ServiceError as refused:
        if refused.code != "invalid_token":
            raise
        return expired_page(VERIFYING_LINK)
    return verified_page()


# The account, and signing in and out in a browser.


SignIn = Annotated[JsonObject, Depends(closed_object(SIGN_IN))]
ReturnTo = Annotated[
    str,
    Query(
        alias="returnTo",
        description="Where to come back to: `/` or `/scenes/<id>`, also with `?owner=`.",
    ),
]
SignOut = Annotated[JsonObject, Depends(closed_object(SIGN_OUT))]


def read_account(services: Serving, caller: CallerByKey) -> Response:
    """The caller's account, and how much of each quota is used."""
    seen = services.accounts.overview(caller.account_id)
    verified = seen.account.email_verified_at
    uses = {"keys": seen.keys, "scenes": seen.scenes, "storedBytes": seen.stored_bytes}
    reply = {
        "accountId": seen.account.id,
        "email": seen.account.email,
        "emailVerifiedAt": None if verified is None else timestamp(verified),
        "role": seen.account.role,
        "createdAt": timestamp(seen.created_at),
        **{name: {"used": use.used, "limit": use.limit} for name, use in uses.items()},
    }
    return json_response(reply)


def ask_for_link(request: Request, services: Serving, body: SignIn) -> Response:
    """Mail a link that signs a browser in, if an account has verified the address. The answer is the same for every
    address."""
    services.sign_in_links.ask(body.get("email"), address_of(request))
    return json_response({"email": normalized(body.get("email"))}, status=ACCEPTED)


async def show_sign_in(token: Token = "") -> Response:
    """The page of a mailed link, with a button. Opening the page signs nobody in, because mail programs open links
    before people do."""
    return sign_in_page(token) if len(token) <= MAX_TOKEN_LENGTH else expired_page(SIGN_IN_LINK)


def confirm_sign_in(request: Request, services: Serving, token: Token = "") -> Response:
    """The action of the page's button: sign this browser in, under a fresh session, and go to the studio."""
    require_own_page(request, services)
    try:
        account = services.sign_in_links.use(token)
        session = services.sessions.open(account, replaced=token_of(request, services))
    except ServiceError as refused:
        if refused.code not in {"invalid_token", "account_suspended"}:
            raise
        if refused.code == "invalid_token":
            return expired_page(SIGN_IN_LINK)
        return refused_page(refused.sentence, FORBIDDEN)
    reply = RedirectResponse(HOME, SEE_OTHER, NOT_STORED)
    begin_session(reply, request, services, session)
    return reply


def begin_organization_sign_in(request: Request, services: Serving, return_to: ReturnTo = HOME) -> Response:
    """Go to the organization's OpenID provider, and come back to a page of the studio."""
    begun = services.organization.begin(return_to)
    reply = RedirectResponse(begun.address, SEE_OTHER, NOT_STORED)
    keep_flow(reply, request, services, begun.browser, int(FLOW_LIFE.total_seconds()))
    return reply


def finish_organization_sign_in(request: Request, services: Serving) -> Response:
    """Come back from the OpenID provider: sign this browser in, under a fresh session, and go on in the studio."""
    kept = flow_of(request, services)
    try:
        account = services.organization.finish(request.query_params, kept)
        session = services.sessions.open(account, replaced=token_of(request, services))
    except ServiceError as refused:
        if refused.code not in {"invalid_token", "account_suspended", "sign_in_failed"}:
            raise
        page = refused_page(refused.sentence, FORBIDDEN if refused.code == "account_suspended" else BAD_REQUEST)
        keep_flow(page, request, services, "", 0)
        return page
    reply = RedirectResponse(place_of(kept), SEE_OTHER, NOT_STORED)
    keep_flow(reply, request, services, "", 0)
    begin_session(reply, request, services, session)
    return reply


def sign_out(request: Request, services: Serving, caller: CallerByKey, body: SignOut) -> Response:
    """Sign this browser out or, with `everywhere`, all browsers of the account. API keys stay as they are."""
    everywhere = body.get("everywhere", False)
    if not isinstance(everywhere, bool):
        raise invalid_request("everywhere must be true or false.")
    ended = services.sessions.end_all(caller.account_id) if everywhere else services.sessions.end(caller)
    reply = json_response({"ended": ended})
    if caller.by_session:
        forget_session(reply, request, services)
    return reply


# API keys.


NewKey = Annotated[JsonObject, Depends(closed_object(NEW_KEY))]
KeyId = Annotated[str, Path(alias="keyId", description="An id of the list.")]


def create_key(services: Serving, caller: CallerByKey, body: NewKey) -> Response:
    """Create a further key of the caller's account. The key is shown in this reply and never again."""
    made = services.keys.create(caller.account_id, body.get("name"))
    return json_response({"id": made.id, "key": made.key, "name": made.name}, status=201)


def list_keys(services: Serving, caller: CallerByKey) -> Response:
    """The keys of the caller's account, oldest first, without their secrets. `lastUsedAt` is true to a minute."""
    items = [
        {
            "id": key.id,
            "name": key.name,
            "createdAt": timestamp(key.created_at),
            "lastUsedAt": None if key.last_used_at is None else timestamp(key.last_used_at),
        }
        for key in services.keys.of_account(caller.account_id)
    ]
    return json_response({"items": items})


def revoke_key(services: Serving, caller: CallerByKey, key_id: KeyId) -> Response:
    """Revoke a key of the caller's account, at once and for good."""
    services.keys.revoke(caller.account_id, key_id)
    return json_response({"id": key_id, "revoked": True})
