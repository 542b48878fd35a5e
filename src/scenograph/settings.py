"""Every environment variable: name, type, default and help, in one table (R-SET-1).

The command line reads the table at start and hands the values down. A wrong value raises SettingsError with a line that
names the variable and its requirement, without the value itself, which may hold a password.
"""

from __future__ import annotations

import os
import re
import sys
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Any, Literal, Self, cast
from urllib.parse import parse_qs, urlsplit

from pydantic import AfterValidator, BeforeValidator, Field, SecretStr, ValidationError, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

SQLITE_PREFIX = "sqlite:///"
POSTGRES_PREFIXES = ("postgresql://", "postgres://")
MEBIBYTE = 1 << 20
_GIBIBYTE = 1 << 30
_KEYS_AT_FULL_RATE = 5  # of one account, by default


class SettingsError(Exception):
    """A variable has a wrong value; the text is the line for the operator."""


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _database_url(value: str) -> str:
    prefix = next((prefix for prefix in (SQLITE_PREFIX, *POSTGRES_PREFIXES) if value.startswith(prefix)), None)
    if not prefix or value == prefix:
        raise ValueError(
            f"must be {SQLITE_PREFIX}relative/path, {SQLITE_PREFIX}/absolute/path or "
            "postgresql://user:password@host:port/name"
        )
    return value


def _web_address(value: str) -> str:
    if not value.startswith(("http://", "https://")):
        raise ValueError("must begin with http:// or https://")
    return value.rstrip("/")


def _public_address(value: str) -> str:
    """A public web address outside the domains of documentation (RFC 2606), which would make dead links."""
    address = _web_address(value)
    host = urlsplit(address).hostname or ""
    if re.search(r"(^|\.)example(\.(com|net|org))?$", host):
        raise ValueError("must be the address that people use; the one of an example file stands there still")
    return address


def _service_address(value: str) -> str:
    """A callable web address, with all parts checked here, before any call."""
    address = _web_address(value)
    try:
        parts = urlsplit(address)
        sound = bool(parts.hostname) and parts.port != 0 and not parts.query and not parts.fragment
    except ValueError:  # an invalid port number, or unbalanced brackets
        sound = False
    plain = address.isprintable() and not any(letter in address for letter in " ?#\\")
    if not sound or not plain:
        raise ValueError(
            "must be http://host:port or https://host/path: a host, a port from 1 to 65535 where one is named, "
            "no blanks, no ? and no #"
        )
    return address


def _issuer(value: str) -> str:
    """An issuer: HTTPS, or HTTP on this machine."""
    address = _service_address(value)
    parts = urlsplit(address)
    if parts.scheme != "https" and parts.hostname not in {"localhost", "127.0.0.1", "::1"}:
        raise ValueError("must begin with https://, unless the provider is on this machine")
    return address


def _header_value(value: SecretStr) -> SecretStr:
    key = value.get_secret_value()
    if not key.isascii() or not key.isprintable() or " " in key:
        raise ValueError("must be a key as the service gave it: visible ASCII characters, no blanks")
    return value


def _redis_url(value: SecretStr) -> SecretStr:
    from redis import connection  # noqa: PLC0415 - most services do without it

    address = value.get_secret_value()
    try:
        known = address.startswith(("redis://", "rediss://")) and "host" in cast("Any", connection).parse_url(address)
    except ValueError:
        known = False
    if not known:
        raise ValueError("must be redis://host:port/database or rediss://… with TLS")
    return value


def _mail_server(value: SecretStr) -> SecretStr:
    parts = urlsplit(value.get_secret_value())
    query = parse_qs(parts.query, keep_blank_values=True)
    try:
        named = parts.scheme in {"smtp", "smtps"} and parts.hostname and parts.port != 0
    except ValueError:  # a port that is no number
        named = False
    extra = set(query) - {"starttls"} or set(query.get("starttls", [])) - {"offered", "always", "never"}
    if not named or parts.path.strip("/") or extra:
        raise ValueError(
            "must be smtp://user:password@host:port or smtps://… with TLS; ?starttls=always or =never may follow"
        )
    return value


def _sender(value: str) -> str:
    if not re.fullmatch(r"[!-?A-~]+@[A-Za-z0-9.-]+", value):
        raise ValueError("must be an address such as scenograph@example.org")
    return value


def _networks(value: str) -> str:
    try:
        return ",".join(str(ip_network(part.strip())) for part in value.split(",") if part.strip())
    except ValueError:
        raise ValueError(
            "must be IP addresses or networks with a comma between, such as 127.0.0.1,10.0.0.0/8"
        ) from None


def _document_limits(value: str) -> str:
    """Pairs of names and numbers. The names are checked later, beside the documents (`wiring`)."""
    if not all(re.fullmatch(r"\s*[a-z_]+\s*=\s*[0-9]{1,12}\s*", part) for part in value.split(",") if part.strip()):
        raise ValueError("must be names and whole numbers with a comma between, such as elements=2000,nesting=16")
    return value


def _hosts(value: str) -> str:
    names = [part.strip().lower() for part in value.split(",") if part.strip()]
    if not all(re.fullmatch(r"[a-z0-9_.-]+|\[[0-9a-f:.]+\]", name) for name in names):
        raise ValueError("must be host names with a comma between, without ports, such as example.org,10.0.0.7")
    return ",".join(names)


class Settings(BaseSettings):
    """A field for each variable, in the order of an operator's needs."""

    model_config = SettingsConfigDict(env_ignore_empty=True, extra="ignore", frozen=True, hide_input_in_errors=True)

    host: str = Field(default="127.0.0.1", description="Address to listen on.")
    port: int = Field(default=3000, ge=0, le=65_535, description="Port to listen on; 0 lets the system choose.")
    metrics_port: int | None = Field(
        default=None,
        ge=1,
        le=65_535,
        description="Port for /metrics alone, which PORT does not answer then; on it any Host is answered.",
    )
    public_site: Annotated[str, AfterValidator(_public_address)] | None = Field(
        default=None, description="Address under which the service is reached from outside."
    )
    database_url: Annotated[str, AfterValidator(_database_url)] = Field(
        default=f"{SQLITE_PREFIX}scenograph.db",
        description="Where scenes are kept: sqlite:///relative, sqlite:////absolute or postgresql://user:pass@host/name.",
        repr=False,  # it may hold a password
    )
    database_connections: int = Field(
        default=20, ge=2, le=1000, description="Connections to PostgreSQL that one server opens at most."
    )
    auth_disabled: str = Field(
        default="", description="Exactly `true` serves every call as one local owner; development only."
    )
    bootstrap_api_key: SecretStr | None = Field(
        default=None, description="A key of the operator's account, made at start."
    )
    bootstrap_support_key: SecretStr | None = Field(
        default=None, description="A key of a support account, made at start."
    )
    rate_limit_rpm: int = Field(default=60, ge=0, description="Requests a minute for each key; 0 sets no limit.")
    rate_limit_burst: int = Field(default=10, ge=1, description="Requests at once for each key.")
    account_rate_limit_rpm: int | None = Field(
        default=None,
        ge=0,
        description="A minute for all keys of an account; five times RATE_LIMIT_RPM if unset, 0 sets no limit.",
    )
    public_rate_limit_rpm: int | None = Field(
        default=None,
        ge=0,
        description="A minute for each address, without a key; as RATE_LIMIT_RPM if unset, 0 sets no limit.",
    )
    public_rate_limit_burst: int | None = Field(
        default=None, ge=1, description="At once for each address, without a key; as RATE_LIMIT_BURST if unset."
    )
    rate_limit_url: Annotated[SecretStr, AfterValidator(_redis_url)] | None = Field(
        default=None,
        description="redis://host:port/0 where several servers share the limits; counted in memory if unset.",
    )
    max_keys: int = Field(
        default=50, ge=0, description="API keys of an account, 2 before its address is verified; 0 sets no limit."
    )
    max_scenes: int = Field(
        default=10_000, ge=0, description="Scenes of an account that are not deleted; 0 sets no limit."
    )
    max_stored_bytes: int = Field(
        default=2 * _GIBIBYTE,
        ge=0,
        description="Bytes that all revisions of an account take as they are stored, deleted scenes until they are "
        "purged; 0 sets no limit.",
    )
    signup_enabled: Literal["true", "false"] = Field(
        default="false", description="`true` lets anybody make an account with an e-mail address."
    )
    signups_per_hour: int = Field(
        default=5,
        ge=0,
        description="Accounts an hour from one address, and mails to one mailbox, of links to sign in twelve times as "
        "many; 0 sets no limit.",
    )
    smtp_url: Annotated[SecretStr, AfterValidator(_mail_server)] | None = Field(
        default=None,
        description="smtp://user:password@host:port (STARTTLS where offered) or smtps://…; unset, mails are logged.",
    )
    mail_from: Annotated[str, AfterValidator(_sender)] = Field(
        default="scenograph@localhost", description="The sender of mails."
    )
    oidc_issuer: Annotated[str, AfterValidator(_issuer)] | None = Field(
        default=None,
        description="Address of an OpenID provider, whose people may sign in; it sends them back to PUBLIC_SITE and "
        "/v1/oidc/callback.",
    )
    oidc_client_id: str | None = Field(default=None, description="The service's id as a client of that provider.")
    oidc_client_secret: SecretStr | None = Field(default=None, description="The secret of that client.")
    trusted_proxies: Annotated[str, AfterValidator(_networks)] = Field(
        default="", description="Addresses or networks, comma between, of proxies whose X-Forwarded-For is believed."
    )
    max_body_bytes: int = Field(default=2 * MEBIBYTE, ge=1024, description="Largest request body, bytes.")
    max_header_bytes: int = Field(
        default=16 * 1024, ge=4096, le=MEBIBYTE, description="Largest address and headers of a request together, bytes."
    )
    max_png_megapixels: int = Field(default=64, ge=1, le=256, description="Largest PNG, million pixels.")
    document_limits: Annotated[str, AfterValidator(_document_limits)] = Field(
        default="", description="Limits of a document, comma between, such as elements=2000,nesting=16; others stay."
    )
    body_timeout_seconds: float = Field(
        default=20.0, gt=0, le=600, description="How long a request body may take to arrive."
    )
    head_timeout_seconds: float = Field(
        default=10.0, gt=0, le=600, description="How long the head of a request may take to arrive."
    )
    keep_alive_seconds: float = Field(
        default=30.0, gt=0, le=3600, description="How long a connection is kept for another request."
    )
    max_connections: int | None = Field(
        default=None, ge=32, description="Connections in all; as many as the process may have open if unset."
    )
    connections_per_network: int = Field(
        default=200, ge=1, description="Connections of one network (IPv4 /24, IPv6 /56); trusted proxies are exempt."
    )
    allowed_hosts: Annotated[str, AfterValidator(_hosts)] = Field(
        default="",
        description="Names, comma between, that the service goes by beside loopback and HOST; others get a 421.",
    )
    render_workers: int = Field(
        default_factory=_processors, ge=1, le=256, description="Engine processes; as many as processors by default."
    )
    render_timeout_seconds: float = Field(default=10.0, gt=0, le=600, description="Wall time of one engine call.")
    render_queue_seconds: float = Field(
        default=2.0,
        ge=0,
        le=60,
        description="How long a call may wait for its turn; one that would probably wait longer is refused at once.",
    )
    renders_at_once: int = Field(
        default=2, ge=1, le=256, description="Renders of one owner or network at once; further ones wait."
    )
    engine_seconds: int = Field(
        default=240, ge=0, description="Seconds of engine time a minute for each owner; 0 sets no limit."
    )
    public_engine_seconds: int = Field(
        default=40, ge=0, description="The same for each network (IPv4 /24, IPv6 /56), without a key."
    )
    public_render_timeout_seconds: float = Field(
        default=5.0, gt=0, le=600, description="Wall time of one engine call without a key."
    )
    public_max_elements: int = Field(
        default=1000, ge=1, description="Elements of a document that is drawn or checked without a key."
    )
    pages_per_minute: int = Field(
        default=600,
        ge=0,
        description="Published pages, embeds and their pictures a minute for each network; 0 sets no limit.",
    )
    streams_per_owner: int = Field(
        default=50, ge=1, le=10_000, description="Event streams that one owner may have open on one server."
    )
    render_memory_mb: int = Field(default=1024, ge=64, description="Memory one engine call may allocate, MiB.")
    picture_cache_mb: int = Field(
        default=64, ge=0, le=65_536, description="Finished pictures that are kept in memory, MiB; 0 keeps none."
    )
    picture_cache_url: Annotated[SecretStr, AfterValidator(_redis_url)] | None = Field(
        default=None,
        description="redis://host:port/1 where several servers share finished pictures; as RATE_LIMIT_URL if unset.",
    )
    service_api_key: Annotated[SecretStr, AfterValidator(_header_value)] | None = Field(
        default=None, description="Tool server: the key it calls the service with; unset, it offers three tools."
    )
    service_api_url: Annotated[str, AfterValidator(_service_address)] = Field(
        default="http://127.0.0.1:3000",
        description="Tool server: the address of the service.",
        repr=False,  # it may hold a password
    )
    export_dir: Path | None = Field(
        default=None, description="Tool server over stdio: the folder below which dsp_export_scene may write new files."
    )
    log_level: Annotated[Literal["debug", "info", "warning", "error"], BeforeValidator(str.lower)] = Field(
        default="info", description="Least level that is logged."
    )
    log_format: Literal["auto", "json", "console"] = Field(
        default="auto", description="Log lines as JSON or for reading; auto: for reading on a terminal."
    )

    @model_validator(mode="after")
    def _links_lead_here(self) -> Self:
        """Require PUBLIC_SITE for mails: a mailed link must not be built from a caller's `Host`."""
        if self.signup_is_open and self.smtp_url and not self.public_site:
            raise ValueError(
                "PUBLIC_SITE must be set where SIGNUP_ENABLED is true and SMTP_URL is set: mails link to it"
            )
        return self

    @model_validator(mode="after")
    def _provider_is_whole(self) -> Self:
        """Require all that the flow with an OpenID provider needs."""
        own = (self.oidc_issuer, self.oidc_client_id, self.oidc_client_secret)
        if any(own) and not (all(own) and self.public_site):
            raise ValueError(
                "OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET must be set together, and PUBLIC_SITE with them: "
                "the provider sends people back there"
            )
        return self

    @classmethod
    def load(cls) -> Self:
        """The settings of this process's environment; SettingsError when a value is wrong."""
        try:
            return cls()
        except ValidationError as wrong:
            raise SettingsError("; ".join(_line(error) for error in wrong.errors(include_url=False))) from None

    @property
    def public_rate(self) -> tuple[int, int]:
        """Requests a minute and at once for each address; by default those of a key."""
        own = (self.public_rate_limit_rpm, self.public_rate_limit_burst)
        return (
            self.rate_limit_rpm if own[0] is None else own[0],
            self.rate_limit_burst if own[1] is None else own[1],
        )

    @property
    def account_rate(self) -> tuple[int, int]:
        """Requests a minute and at once for all keys of an account."""
        own = self.account_rate_limit_rpm
        return (
            _KEYS_AT_FULL_RATE * self.rate_limit_rpm if own is None else own,
            _KEYS_AT_FULL_RATE * self.rate_limit_burst,
        )

    @property
    def chosen_limits(self) -> dict[str, int]:
        """The changed limits of documents, by name."""
        pairs = (part.partition("=") for part in self.document_limits.split(",") if part.strip())
        return {name.strip(): int(number) for name, _, number in pairs}

    @property
    def signup_is_open(self) -> bool:
        """Whether anybody may make an account."""
        return self.signup_enabled == "true"

    @property
    def links_are_mailed(self) -> bool:
        """Whether links that sign in are mailed: to the log alone only where sign-up is open."""
        return not self.auth_is_disabled and (self.signup_is_open or bool(self.smtp_url and self.public_site))

    @property
    def auth_is_disabled(self) -> bool:
        """Only the exact word `true` opens the service."""
        return self.auth_disabled == "true"

    @property
    def auth_value_is_odd(self) -> bool:
        """Whether AUTH_DISABLED has an ineffective value; worth a warning."""
        return self.auth_disabled not in {"", "true", "false"}


def data_folder() -> Path:
    """The user's data folder by the system's custom; not created."""
    home = Path.home()
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "scenograph"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "scenograph"
    return Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share") / "scenograph"


def environment_with(**changes: str) -> dict[str, str]:
    """This process's environment with changed variables, for a child process."""
    return {**os.environ, **changes}


def _line(error: Any) -> str:
    sentence = str(error["msg"]).removeprefix("Value error, ").removeprefix("Input ")
    return f"{str(error['loc'][0]).upper()} {sentence}" if error["loc"] else sentence


def table() -> tuple[tuple[str, str, str], ...]:
    """Every variable as (name, default, help), for the command line's help."""
    return tuple(
        (name.upper(), "" if field.is_required() else _default(field.default), field.description or "")
        for name, field in Settings.model_fields.items()
    )


def markdown_table() -> str:
    """Every variable as a row of the table in `docs/running.md`."""
    rows = (f"| `{name}` | {f'`{default}`' if default else ''} | {text} |\n" for name, default, text in table())
    return "| variable | default | meaning |\n|---|---|---|\n" + "".join(rows)


def _default(value: Any) -> str:
    return str(value) if isinstance(value, str | int | float) else ""


if __name__ == "__main__":
    sys.stdout.write(markdown_table())
