"""The operator's commands on a database of their own."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from scenograph.cli import app
from scenograph.http.app import create_app
from scenograph.service.clock import utc_now
from scenograph.service.mailing import Desk
from scenograph.service.sign_in import SignUp
from scenograph.settings import Settings
from scenograph.wiring import Services, build

Run = Callable[..., tuple[int, str, str]]
DESK = Desk(is_open=True, sender="scenograph@diagrams.example", site="https://diagrams.example")
SCENE = {
    "schemaVersion": "0.1",
    "scene": {"id": "orders", "units": "px", "canvas": {}},
    "elements": [{"id": "a", "kind": "node", "label": "A"}],
}
KEY = re.compile(r"dsp_sk_[0-9a-f]{32}")


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command; gives its exit code and what it said on both streams."""
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path / 'scenes.db'}")

    def run_here(*arguments: str) -> tuple[int, str, str]:
        capsys.readouterr()  # what a service in this process has logged
        with pytest.raises(SystemExit) as left:
            app(list(arguments))
        said = capsys.readouterr()
        return int(left.value.code or 0), said.out, said.err

    return run_here


@pytest.fixture
def services(run: Run) -> Services:
    return build(Settings.load().model_copy(update={"render_workers": 1, "rate_limit_rpm": 0}))


def ask(services: Services, path: str, key: str) -> int:
    return TestClient(create_app(services)).get(path, headers={"Authorization": f"Bearer {key}"}).status_code


def rows(text: str) -> list[list[str]]:
    return [re.split(r"  +", line) for line in text.splitlines()]


def test_a_created_key_opens_the_service_and_a_revoked_one_does_not(run: Run, services: Services) -> None:
    code, out, err = run("keys", "create", "--name", "laptop")
    key = out.strip()
    assert (code, bool(KEY.fullmatch(key))) == (0, True)
    assert "of account operator (member)" in err
    assert key not in err
    assert ask(services, "/v1/scenes", key) == 200
    assert ask(services, "/v1/support/scenes", key) == 403
    ((key_id, account, _made, used, name),) = rows(run("keys", "list")[1])
    assert (account, name) == ("operator", "laptop")
    assert used != "-"
    assert run("keys", "revoke", key_id)[0] == 0
    assert ask(services, "/v1/scenes", key) == 401
    services.close()
    assert run("keys", "revoke", key_id) == (1, "", "There is no such key.\n")
    assert run("keys", "list") == (0, "", "")


def test_a_supporters_key_sees_what_was_submitted(run: Run, services: Services) -> None:
    _, everybodys, _ = run("keys", "create", "--role", "support")
    _, own, err = run("keys", "create", "--role=support", "--email", "Sue@Example.org")
    assert ask(services, "/v1/support/scenes", everybodys.strip()) == 200
    assert ask(services, "/v1/support/scenes", own.strip()) == 200
    services.close()
    sue = re.search(r"acc_\w+", err)
    assert sue
    listed = rows(run("accounts", "--email", "sue@example.org")[1])
    assert [(row[0], row[1], row[5]) for row in listed] == [(sue[0], "support", "sue@example.org")]
    assert listed[0][3] != "-", "the operator vouches for it"
    run("keys", "create", "--role=support", "--email", "sue@example.org", "--name", "second")
    assert len(rows(run("keys", "list", "--owner", sue[0])[1])) == 2


def test_accounts_are_verified_by_hand(run: Run, services: Services) -> None:
    signed_up = SignUp(services.keys._store, utc_now, services.rate_limits, lambda *_letter: None, DESK)
    account = signed_up.open("eve@example.org", "192.0.2.1").account_id
    services.close()
    assert [row[3] for row in rows(run("accounts")[1])] == ["-"]
    code, out, err = run("accounts", "verify", account)
    assert (code, out) == (0, "")
    assert err.startswith(f"{account} is verified since 20")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("accounts", "verify", "nobody"), "There is no such account."),
        (("keys", "create", "--owner", "nobody"), "There is no such account."),
        (("keys", "create", "--email", "no address"), "email must be an address"),
        (("keys", "create", "--name", "\n"), "name must be text"),
        (("keys", "revoke", "nothing"), "There is no such key."),
    ],
)
def test_what_cannot_be_done_is_one_line_and_exit_code_1(run: Run, arguments: tuple[str, ...], sentence: str) -> None:
    code, out, err = run(*arguments)
    assert (code, out) == (1, "")
    assert err.startswith(sentence)
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("keys", "create", "--owner", "operator", "--email", "ann@example.org"), "give one of them"),
        (("keys", "list", "--owner", "nobody"), "There is no account nobody; `scenograph accounts` lists them."),
        (("keys", "list", "--email", "nobody@example.org"), "There is no account nobody@example.org;"),
    ],
)
def test_an_account_that_is_named_twice_or_is_not_there_is_refused(
    run: Run, arguments: tuple[str, ...], sentence: str
) -> None:
    code, out, err = run(*arguments)
    assert (code, out, sentence in err) == (1, "", True)


def test_the_role_of_an_account_is_not_changed_by_a_key(run: Run) -> None:
    run("keys", "create")
    assert run("keys", "create", "--role", "support", "--owner", "operator") == (
        1, "", "The account operator has the role member.\n",
    )  # fmt: skip


def test_an_unknown_role_is_wrong_usage(run: Run) -> None:
    assert run("keys", "create", "--role", "admin")[0] != 0


def test_purging_by_hand_says_how_many(run: Run) -> None:
    assert run("purge") == (0, "0 scenes removed.\n", "")


def test_a_database_that_cannot_be_opened_is_one_line_and_exit_code_2(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path / 'file' / 'scenes.db'}")
    code, out, err = run("accounts")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("DATABASE_URL: ")
    monkeypatch.setenv("DATABASE_URL", "mysql://x")
    assert run("purge")[0] == 2


def test_help_names_the_commands(run: Run) -> None:
    _, out, _ = run("keys", "--help")
    for command in ("create", "list", "revoke"):
        assert command in out


def test_a_deleted_account_leaves_nothing_and_its_addresses_are_free(run: Run, services: Services) -> None:
    key = run("keys", "create", "--email", "ann@example.org")[1].strip()
    account = next(row[0] for row in rows(run("accounts")[1]) if row[-1] == "ann@example.org")
    services.scenes.create(account, SCENE)
    services.lifecycle.publish(account, "orders")
    assert run("accounts", "delete", account, "--yes") == (0, "", f"{account} is deleted.\n")
    assert ask(services, "/v1/scenes", key) == 401
    assert ask(services, "/s/orders", key) == 404
    operator = run("keys", "create")[1].strip()
    services.scenes.create("operator", SCENE)
    services.lifecycle.publish("operator", "orders")
    assert ask(services, "/s/orders", operator) == 200
    services.close()
    assert run("accounts", "delete", account, "--yes") == (1, "", "There is no such account.\n")


def test_holdings_are_counted_anew_and_told(run: Run, services: Services) -> None:
    key = run("keys", "create")[1].strip()
    client = TestClient(create_app(services), headers={"Authorization": f"Bearer {key}"})
    assert client.post("/v1/scenes", json=SCENE).status_code == 201
    account = rows(run("accounts")[1])[0][0]
    code, out, _ = run("accounts", "recount")
    used = client.get("/v1/account").json()["storedBytes"]["used"]
    assert (code, rows(out)) == (0, [[account, "1", "1", str(used)]])


def test_a_suspended_account_is_refused_by_the_running_service_until_it_is_resumed(
    run: Run, services: Services
) -> None:
    key = run("keys", "create", "--email", "ann@example.org")[1].strip()
    account = rows(run("accounts")[1])[-1][0]
    code, out, err = run("accounts", "suspend", account)
    assert (code, out) == (0, "")
    assert err.startswith(f"{account} is suspended since 20")
    assert rows(run("accounts")[1])[-1][4].startswith("20")
    assert ask(services, "/v1/scenes", key) == 403
    assert run("accounts", "resume", account) == (0, "", f"{account} is not suspended.\n")
    assert ask(services, "/v1/scenes", key) == 200
    services.close()
    assert run("accounts", "suspend", "nobody") == (1, "", "There is no such account.\n")


def test_an_account_goes_to_a_file_and_comes_back_from_it(run: Run, services: Services, tmp_path: Path) -> None:
    run("keys", "create", "--email", "ann@example.org")
    account = rows(run("accounts")[1])[-1][0]
    services.scenes.create(account, SCENE)
    services.close()  # the places of the scene are kept by now, or never
    first, second = tmp_path / "first.gz", tmp_path / "second.gz"
    assert run("accounts", "export", account, "-o", str(first)) == (0, "", f"{account} is in {first}.\n")
    assert first.stat().st_mode & 0o077 == 0
    assert run("accounts", "import", str(first))[0] == 1
    run("accounts", "delete", account, "--yes")
    code, out, err = run("accounts", "import", str(first))
    assert (code, out) == (0, "")
    assert err == f"{account} is back with 1 scenes. Make it a key: scenograph keys create --owner {account}\n"
    run("accounts", "export", account, "-o", str(second))
    assert second.read_bytes() == first.read_bytes()
    assert rows(run("keys", "list", "--owner", account)[1]) == []
    for arguments in (("export", "nobody", "-o", str(tmp_path / "x")), ("import", str(tmp_path / "none"))):
        code, out, err = run("accounts", *arguments)
        assert (code, out, err.count("\n")) == (1, "", 1)
    assert not (tmp_path / "x").exists()
