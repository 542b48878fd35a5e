"""The operator's commands: keys, accounts, purge. They work on the database itself, whether or not the service runs.

Results go to standard output, a line each; remarks to standard error. Exit codes: 0 done, 1 refused, 2 the database
cannot be opened or a setting is wrong.
"""

# ruff: noqa: PLC0415

from __future__ import annotations

import sys
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

import click

from scenograph.cli.terminal import CANNOT_START, REFUSED, leave, plain

if TYPE_CHECKING:
    from scenograph.service.accounts import Accounts, Keys
    from scenograph.storage.interface import Store

NEVER = "-"

_owner = click.option("--owner", help="The account's id.")
_email = click.option("--email", help="The account's e-mail address.")


@click.group
def keys() -> None:
    """Create, list and revoke API keys."""


class Office(NamedTuple):
    """The store, and the use cases of the commands."""

    store: Store
    accounts: Accounts
    keys: Keys


@keys.command("create")
@click.option(
    "--role",
    type=click.Choice(("member", "support")),
    default="member",
    show_default=True,
    help="The role of the account.",
)
@click.option("--name", default="made by the operator", show_default=True, help="What the key is for.")
@_email
@_owner
def create_key(*, role: Literal["member", "support"], name: str, email: str | None, owner: str | None) -> None:
    """Print a new key.

    It belongs to the operator's account or, with --role support, to the supporters'. --owner names another account.
    --email finds the account of an address, or makes one, verified: so supporters have one each, and the log of who
    looked tells them apart.
    """
    if owner and email:
        leave("--owner and --email each name an account; give one of them.", REFUSED)
    with _office() as office:
        account = office.accounts.known(owner, role) if owner else office.accounts.of_operator(role, email)
        made = office.keys.create(account.id, name)
        print(made.key)
        print(f"{made.id} of account {account.id} ({account.role}). The key is shown this once.", file=sys.stderr)


@keys.command("list")
@_email
@_owner
def list_keys(*, email: str | None, owner: str | None) -> None:
    """List the keys that are not revoked: id, account, made at, last used at, name. All of them, or those of an
    account."""
    with _office() as office:
        chosen = [entry.id for entry in office.accounts.all(email) if owner in (None, entry.id)]
        if not chosen and (owner or email):
            leave(f"There is no account {owner or email}; `scenograph accounts` lists them.", REFUSED)
        found = [key for account in chosen for key in office.keys.of_account(account)]
        _table((key.id, key.account_id, _time(key.created_at), _time(key.last_used_at), key.name) for key in found)


@keys.command("revoke")
@click.argument("key_id")
def revoke_key(key_id: str) -> None:
    """Revoke a key permanently. KEY_ID is an id of the list."""
    with _office() as office:
        holders = (
            entry.id
            for entry in office.accounts.all()
            if any(key.id == key_id for key in office.keys.of_account(entry.id))
        )
        office.keys.revoke(next(holders, ""), key_id)
        print(f"{key_id} is revoked.", file=sys.stderr)


@click.group(invoke_without_command=True)
@_email
@click.pass_context
def accounts(context: click.Context, *, email: str | None) -> None:
    """List accounts, and change one.

    A line each, oldest first: id, role, made at, verified at, suspended at, address.
    """
    if context.invoked_subcommand is not None:
        if email:
            raise click.UsageError(f"--email is an option of the list, not of {context.invoked_subcommand}.")
        return
    with _office() as office:
        _table(
            (
                entry.id,
                entry.role,
                *map(_time, (entry.created_at, entry.email_verified_at, entry.suspended_at)),
                entry.email or NEVER,
            )
            for entry in office.accounts.all(email)
        )


@accounts.command("verify")
@click.argument("account_id")
def verify_account(account_id: str) -> None:
    """Verify an account without a mail. ACCOUNT_ID is an id of the list."""
    with _office() as office:
        verified = office.accounts.verify(account_id)
        print(f"{verified.id} is verified since {_time(verified.email_verified_at)}.", file=sys.stderr)


@accounts.command("recount")
def recount_accounts() -> None:
    """Count anew what each account holds, and print it: account, keys, scenes, bytes. Needed once after an upgrade
    without a pause, when the last server of the earlier version has ended."""
    with _office() as office:
        held = ((entry.id, office.store.recount(entry.id)) for entry in office.accounts.all())
        _table((account, str(now.keys), str(now.scenes), str(now.stored_bytes)) for account, now in held if now)


@accounts.command("export")
@click.argument("account_id")
@click.option("-o", "--out", required=True, help="The file to write, readable by you alone.")
def export_account(account_id: str, out: str) -> None:
    """Write an account with its scenes, their revisions, places, grants and comments to a file. ACCOUNT_ID is an id of
    the list. API keys and signed-in browsers are not in it."""
    from scenograph.library.files import write_whole
    from scenograph.service.archives import Archives

    with _office() as office:
        parts = Archives(office.store).export(account_id)
        try:
            write_whole(out, parts, private=True)
        except OSError as wrong:
            leave(f"{out}: {wrong.strerror or wrong}", REFUSED)
        print(f"{account_id} is in {out}.", file=sys.stderr)


@accounts.command("import")
@click.argument("file")
def import_account(file: str) -> None:
    """Make the account of a file that `accounts export` wrote, with all it holds, or nothing."""
    from scenograph.service.archives import Archives

    with _office() as office:
        try:
            with Path(file).open("rb") as content:
                restored = Archives(office.store).restore(content)
        except OSError as wrong:
            leave(f"{file}: {wrong.strerror or wrong}", REFUSED)
        for scene in restored.made_private:
            print(f"{scene} is private now: another account has its public address.", file=sys.stderr)
        print(f"{restored.account_id} is back with {restored.scenes} scenes. Make it a key: scenograph keys create "
              f"--owner {restored.account_id}", file=sys.stderr)  # fmt: skip


@accounts.command("suspend")
@click.argument("account_id")
def suspend_account(account_id: str) -> None:
    """Refuse the keys and browsers of an account and hide its publications, until it is resumed. ACCOUNT_ID is an id
    of the list."""
    with _office() as office:
        suspended = office.accounts.suspend(account_id)
        print(f"{suspended.id} is suspended since {_time(suspended.suspended_at)}.", file=sys.stderr)


@accounts.command("resume")
@click.argument("account_id")
def resume_account(account_id: str) -> None:
    """End the suspension of an account. ACCOUNT_ID is an id of the list."""
    with _office() as office:
        print(f"{office.accounts.resume(account_id).id} is not suspended.", file=sys.stderr)


@accounts.command("delete")
@click.argument("account_id")
@click.confirmation_option(prompt="Delete the account with all its keys and scenes, for good?", help="Do not ask.")
def delete_account(account_id: str) -> None:
    """Delete an account with its keys, its scenes and their public addresses, for good. ACCOUNT_ID is an id of the
    list."""
    with _office() as office:
        office.accounts.delete(account_id)
        print(f"{account_id} is deleted.", file=sys.stderr)


@click.command
def purge() -> None:
    """Remove now what was deleted 24 hours ago or earlier.

    The service does so every minute. Only time counts in which a server ran: a clock that was set removes nothing
    early.
    """
    from scenograph.service.clock import utc_now
    from scenograph.service.lifecycle import purge as purged

    with _office() as office:
        print(f"{purged(office.store, utc_now(), office.store.advance_time())} scenes removed.")


@contextmanager
def _office() -> Generator[Office]:
    """The database of the settings, opened for a command; a refusal ends the program with a line on standard error."""
    from scenograph.service.accounts import Accounts, Keys
    from scenograph.service.clock import utc_now
    from scenograph.service.errors import ServiceError
    from scenograph.settings import Settings, SettingsError
    from scenograph.storage.interface import StorageUnavailable
    from scenograph.wiring import MissingExtra, open_store

    try:
        store = open_store(Settings.load())
    except (SettingsError, MissingExtra) as wrong:
        leave(str(wrong), CANNOT_START)
    except (StorageUnavailable, ValueError) as refused:
        leave(f"DATABASE_URL: {refused}", CANNOT_START)
    try:
        yield Office(store, Accounts(store, utc_now), Keys(store, utc_now))
    except ServiceError as refused:
        leave(refused.sentence, REFUSED)
    except StorageUnavailable as lost:
        leave(f"DATABASE_URL: {lost}", CANNOT_START)
    finally:
        store.close()


def _table(rows: Iterable[Sequence[str]]) -> None:
    """Print columns as wide as their widest cell, except the last. Control characters of names cannot break a line."""
    cells = [[plain(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for row in cells:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def _time(at: datetime | None) -> str:
    return NEVER if at is None else at.strftime("%Y-%m-%dT%H:%M:%SZ")
