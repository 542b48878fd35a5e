"""Settings into a running service: store, workers, use cases. The only file that names a backend.

The modules of PostgreSQL and Redis are imported only for settings that name them.
"""

# ruff: noqa: PLC0415

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from importlib.util import find_spec
from typing import Any, NamedTuple

import structlog
from pydantic import SecretStr

from scenograph.engine.icons import DOCUMENT_LIMITS, search
from scenograph.engine.identity import identity
from scenograph.late_dataclasses import dataclass, replace
from scenograph.scene.description.operations import ops_schema, ops_schema_draft_07, scene_schema, scene_schema_draft_07
from scenograph.scene.limits import Limits
from scenograph.service.accounts import MEMBER, SUPPORT, Accounts, Caller, Keys
from scenograph.service.background import EVERY_SECONDS, CatchingUp, Purging, Readiness
from scenograph.service.clock import NeverBehind, SharedTime, utc_now
from scenograph.service.documents import Documents
from scenograph.service.idempotency import Idempotency
from scenograph.service.kept_pictures import KeptPictures, SharedPictures
from scenograph.service.lifecycle import DELETIONS, Lifecycle
from scenograph.service.mailing import Desk, LogTransport, Outbox, SmtpTransport, server_of
from scenograph.service.oidc import Organization, OrganizationSignIn
from scenograph.service.people import Commenting, Sharing
from scenograph.service.places import Places
from scenograph.service.presence import MemoryRooms, Presence, PresenceRooms, Watching
from scenograph.service.rate_limits import (
    ACCOUNT_POLICY,
    Counter,
    Fairness,
    MemoryCounter,
    RateLimits,
    ShareRules,
    allowance,
)
from scenograph.service.rendering import Publishing, Rendering, Returning
from scenograph.service.scenes import Listings, Scenes, Sources
from scenograph.service.sign_in import Sessions, SignInLinks, SignUp
from scenograph.service.support import Support
from scenograph.settings import POSTGRES_PREFIXES, Settings, SettingsError
from scenograph.storage.interface import NO_QUOTA, Quota, Store
from scenograph.storage.sqlite import open_sqlite
from scenograph.workers import EngineWorkers, Turns

CLOSING_SECONDS = 3.0  # longer than the workers take
MEBIBYTE = 1 << 20
_MINUTES_AN_HOUR = 60
PICTURE_SECRET, PRESENCE_SECRET, SECRET_BYTES = "pictures", "presence", 32

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """The foundation of the surfaces: use cases, and values from the settings."""

    scenes: Scenes
    places: Places
    listings: Listings
    lifecycle: Lifecycle
    publishing: Publishing
    watching: Watching
    sharing: Sharing
    commenting: Commenting
    presence: Presence
    support: Support
    accounts: Accounts
    keys: Keys
    sessions: Sessions
    sign_in_links: SignInLinks
    organization: OrganizationSignIn
    sign_up: SignUp
    rendering: Rendering
    returning: Returning
    sources: Sources
    idempotency: Idempotency
    rate_limits: RateLimits
    kept_pictures: KeptPictures
    limits: Limits
    documents: Documents
    search_icons: Callable[[str], Sequence[tuple[str, str]]]
    scene_schema: Mapping[str, Any]
    ops_schema: Mapping[str, Any]
    scene_schema_draft_07: Mapping[str, Any]
    ops_schema_draft_07: Mapping[str, Any]
    local_caller: Caller | None
    public_site: str | None
    trusted_proxies: str
    max_body_bytes: int
    max_header_bytes: int
    body_timeout_seconds: float
    turns: Turns
    fairness: Fairness
    streams_per_owner: int
    check_storage: Callable[[], None]
    renderers_alive: Callable[[], bool]
    workers_replaced: Callable[[], int]
    scenes_purged: Callable[[], int]
    mails: Callable[[], tuple[int, int]]
    close: Callable[[], None]


class MissingExtra(Exception):  # noqa: N818 - a state, told as a sentence
    """A setting needs an extra of the package that is not installed."""


def build(settings: Settings) -> Services:
    """Open the store, start the workers, seed the accounts; `close` of the result ends everything.

    Raises StorageUnavailable or ValueError when the store cannot be opened, SettingsError for an impossible limit,
    MissingExtra for a missing optional dependency.
    """
    limits = _document_limits(settings)
    counter = _counter(settings.rate_limit_url)
    rate_limits = _rate_limits(settings, counter)
    store = open_store(settings)
    workers = EngineWorkers(
        settings.render_workers,
        timeout_seconds=settings.render_timeout_seconds,
        queue_seconds=settings.render_queue_seconds,
        memory_bytes=settings.render_memory_mb * MEBIBYTE,
    )
    passed = SharedTime(store, timedelta(seconds=EVERY_SECONDS))
    purging = Purging(store, utc_now, passed.advance)
    places = Places(store, workers, settings.render_timeout_seconds)
    fairness = _fairness(settings, counter)
    catching_up = CatchingUp(store, places, payer_of=lambda owner: fairness.payer(fairness.of_owner(owner)))
    kept = KeptPictures(settings.picture_cache_mb * MEBIBYTE, identity(), _shared_pictures(settings, store))
    organization = OrganizationSignIn(store, utc_now, _organization(settings))
    outbox = _outbox(settings)
    presence = Presence(_rooms(settings, store), utc_now)
    parts = _Parts(
        store,
        passed,
        workers,
        places,
        catching_up,
        rate_limits,
        fairness,
        purging,
        outbox,
        kept,
        organization,
        presence,
    )
    try:
        return _services(settings, parts, limits)
    except BaseException:
        parts.close()
        raise


def open_store(settings: Settings) -> Store:
    """The store of DATABASE_URL, brought to this version's schema. StorageUnavailable, ValueError."""
    if settings.database_url.startswith(POSTGRES_PREFIXES):
        _ask_for_extra("psycopg", "postgres", "DATABASE_URL names PostgreSQL")
        from scenograph.storage.postgres import open_postgres

        return open_postgres(settings.database_url, connections=settings.database_connections)
    return open_sqlite(settings.database_url)


def _ask_for_extra(module: str, extra: str, reason: str) -> None:
    """Raises MissingExtra with the package to install when an optional dependency is missing."""
    if find_spec(module) is None:
        raise MissingExtra(f"{reason}, but {module} is not installed; install scenograph[{extra}].")


class _Parts(NamedTuple):
    """The holders of threads, processes and connections."""

    store: Store
    passed: SharedTime
    workers: EngineWorkers
    places: Places
    catching_up: CatchingUp
    rate_limits: RateLimits
    fairness: Fairness
    purging: Purging
    outbox: Outbox
    kept_pictures: KeptPictures
    organization: OrganizationSignIn
    presence: Presence

    def close(self) -> None:
        """End all parts, slow ones in parallel within CLOSING_SECONDS, and the store last, which all parts use."""
        deadline = time.monotonic() + CLOSING_SECONDS
        self.outbox.begin_closing(CLOSING_SECONDS)
        self.purging.begin_closing()
        self.catching_up.begin_closing()
        self.workers.close()
        for part in (self.outbox, self.purging, self.catching_up):
            part.join(deadline - time.monotonic())
        for part in (self.rate_limits, self.kept_pictures, self.organization, self.presence, self.store):
            part.close()


def _document_limits(settings: Settings) -> Limits:
    """The limits of documents. Raises SettingsError for an unknown limit or a value beyond its maximum."""
    rows = {row.name: row for row in Limits.rows()}
    for name, number in settings.chosen_limits.items():
        if name not in rows:
            raise SettingsError(f"DOCUMENT_LIMITS names {name}; the limits are {', '.join(rows)}")
        if not 1 <= number <= rows[name].most:
            raise SettingsError(f"DOCUMENT_LIMITS must have for {name} a whole number from 1 to {rows[name].most}")
    return replace(DOCUMENT_LIMITS, **settings.chosen_limits)


def _services(settings: Settings, parts: _Parts, limits: Limits) -> Services:
    store, workers, outbox = parts.store, parts.workers, parts.outbox
    quota = _quota(settings)
    keys = Keys(store, utc_now, quota.keys)
    _seed(keys, settings)
    documents = Documents(limits, workers)
    scenes = Scenes(store, documents, utc_now, parts.places, parts.catching_up.note, quota=quota)
    pixels = settings.max_png_megapixels * 1_000_000
    rendering = Rendering(scenes, parts.places, workers, documents, parts.kept_pictures, max_pixels=pixels)
    return Services(
        scenes=scenes,
        places=parts.places,
        listings=Listings(store, scenes, documents, parts.places),
        lifecycle=_lifecycle(settings, parts, quota),
        publishing=Publishing(store, rendering),
        watching=Watching(store),
        sharing=Sharing(store, utc_now),
        commenting=Commenting(store, scenes, utc_now),
        presence=parts.presence,
        support=Support(store, scenes, utc_now, documents),
        accounts=Accounts(store, utc_now, quota=quota),
        keys=keys,
        sessions=Sessions(store, utc_now),
        sign_in_links=SignInLinks(store, utc_now, parts.rate_limits, outbox.post, _desk(settings)),
        organization=parts.organization,
        sign_up=SignUp(store, utc_now, parts.rate_limits, outbox.post, _desk(settings)),
        rendering=rendering,
        returning=Returning(scenes, parts.places, rendering, documents),
        sources=Sources(scenes, workers, documents, limits),
        idempotency=Idempotency(store, utc_now),
        rate_limits=parts.rate_limits,
        kept_pictures=parts.kept_pictures,
        limits=limits,
        documents=documents,
        search_icons=search,
        scene_schema=scene_schema(limits),
        ops_schema=ops_schema(limits),
        scene_schema_draft_07=scene_schema_draft_07(limits),
        ops_schema_draft_07=ops_schema_draft_07(limits),
        local_caller=Accounts(store, utc_now).local_owner() if settings.auth_is_disabled else None,
        public_site=settings.public_site,
        trusted_proxies=settings.trusted_proxies,
        max_body_bytes=settings.max_body_bytes,
        max_header_bytes=settings.max_header_bytes,
        body_timeout_seconds=settings.body_timeout_seconds,
        turns=workers.turns,
        fairness=parts.fairness,
        streams_per_owner=settings.streams_per_owner,
        check_storage=Readiness(store).check,
        renderers_alive=workers.alive,
        workers_replaced=workers.replaced,
        scenes_purged=lambda: parts.purging.removed,
        mails=lambda: (outbox.sent, outbox.failed),
        close=parts.close,
    )


def _quota(settings: Settings) -> Quota:
    """The quota of an account; none for the local owner under AUTH_DISABLED."""
    if settings.auth_is_disabled:
        return NO_QUOTA
    return Quota(keys=settings.max_keys, scenes=settings.max_scenes, stored_bytes=settings.max_stored_bytes)


def _lifecycle(settings: Settings, parts: _Parts, quota: Quota) -> Lifecycle:
    limit = None if settings.auth_is_disabled else DELETIONS
    return Lifecycle(parts.store, utc_now, NeverBehind(utc_now), parts.passed.latest, limit, quota=quota)


def _rate_limits(settings: Settings, counter: Counter) -> RateLimits:
    if settings.auth_is_disabled:
        return RateLimits(None, None, counter)
    by_key = allowance("key", settings.rate_limit_rpm, settings.rate_limit_burst)
    hourly = settings.signups_per_hour
    by_sign_up = allowance("sign-up", hourly / _MINUTES_AN_HOUR, max(1, hourly))
    by_account = allowance(ACCOUNT_POLICY, *settings.account_rate)
    by_page = allowance("page", settings.pages_per_minute, max(1, settings.pages_per_minute))
    by_address = allowance("address", *settings.public_rate)
    return RateLimits(by_key, by_address, counter, by_sign_up, by_account, by_page=by_page)


def _counter(url: SecretStr | None) -> Counter:
    if url is None:
        return MemoryCounter()
    _ask_for_extra("redis", "redis", "RATE_LIMIT_URL names Redis")
    from scenograph.service.redis import RedisCounter

    return RedisCounter(url.get_secret_value())


def _shared_pictures(settings: Settings, store: Store) -> SharedPictures | None:
    url = settings.picture_cache_url or settings.rate_limit_url
    if url is None or not settings.picture_cache_mb:
        return None
    _ask_for_extra("redis", "redis", "PICTURE_CACHE_URL names Redis")
    from scenograph.service.redis import RedisPictures

    return RedisPictures(url.get_secret_value(), store.secret(PICTURE_SECRET, secrets.token_bytes(SECRET_BYTES)))


def _rooms(settings: Settings, store: Store) -> PresenceRooms:
    url = settings.rate_limit_url or settings.picture_cache_url
    if url is None:
        return MemoryRooms()
    _ask_for_extra("redis", "redis", "RATE_LIMIT_URL or PICTURE_CACHE_URL names Redis")
    from scenograph.service.redis import RedisRooms

    return RedisRooms(url.get_secret_value(), store.secret(PRESENCE_SECRET, secrets.token_bytes(SECRET_BYTES)))


def _fairness(settings: Settings, counter: Counter) -> Fairness:
    limited = not settings.auth_is_disabled
    owners = ShareRules(
        at_once=settings.renders_at_once,
        timeout_seconds=settings.render_timeout_seconds,
        seconds_a_minute=settings.engine_seconds if limited else 0,
    )
    strangers = ShareRules(
        at_once=settings.renders_at_once,
        timeout_seconds=min(settings.public_render_timeout_seconds, settings.render_timeout_seconds),
        seconds_a_minute=settings.public_engine_seconds,
    )
    return Fairness(owners, strangers, settings.public_max_elements, counter)


def _outbox(settings: Settings) -> Outbox:
    url = settings.smtp_url
    if settings.signup_is_open and url is None:
        _log.warning("smtp_url_unset", note="Mails are written to this log, with the links that verify accounts.")
    return Outbox(SmtpTransport(server_of(url.get_secret_value())) if url else LogTransport())


def _desk(settings: Settings) -> Desk:
    """The settings of mails. Without a public site mails go to the log alone, for readers on this machine."""
    site = settings.public_site or f"http://{settings.host}:{settings.port}"
    return Desk(
        is_open=settings.signup_is_open,
        sender=settings.mail_from,
        site=site,
        mails_links=settings.links_are_mailed,
    )


def _organization(settings: Settings) -> Organization | None:
    issuer, client, secret, site = (
        settings.oidc_issuer,
        settings.oidc_client_id,
        settings.oidc_client_secret,
        settings.public_site,
    )
    if issuer is None or client is None or secret is None or site is None or settings.auth_is_disabled:
        return None
    return Organization(issuer=issuer, client_id=client, client_secret=secret.get_secret_value(), site=site)


def _seed(keys: Keys, settings: Settings) -> None:
    for secret, role in ((settings.bootstrap_api_key, MEMBER), (settings.bootstrap_support_key, SUPPORT)):
        warning = keys.bootstrap(secret.get_secret_value(), role) if secret else None
        if warning:
            _log.warning("bootstrap_key", role=role, warning=warning)
