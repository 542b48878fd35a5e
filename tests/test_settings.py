from __future__ import annotations

import pytest

from scenograph.settings import Settings, SettingsError, table


@pytest.fixture(autouse=True)
def _empty_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, _default, _help in table():
        monkeypatch.delenv(name, raising=False)


def test_without_an_environment_the_documented_defaults_hold() -> None:
    chosen = Settings.load()
    assert (chosen.host, chosen.port) == ("127.0.0.1", 3000)
    assert chosen.database_url == "sqlite:///scenograph.db"
    assert chosen.render_timeout_seconds == 10
    assert chosen.render_workers >= 1
    assert not chosen.auth_is_disabled


@pytest.mark.parametrize(
    ("name", "value", "hint"),
    [
        ("PORT", "http", "integer"),
        ("PORT", "70000", "65535"),
        ("DATABASE_URL", "mysql://root:hunter2@db/x", "sqlite:///"),
        ("DATABASE_URL", "sqlite:///", "sqlite:///"),
        ("RENDER_WORKERS", "0", "1"),
        ("RENDER_TIMEOUT_SECONDS", "nan", "600"),
        ("LOG_LEVEL", "loud", "'debug', 'info', 'warning' or 'error'"),
        ("PUBLIC_SITE", "ftp://example.org", "https://"),
        ("PUBLIC_SITE", "https://diagrams.example", "the address that people use"),
        ("PUBLIC_SITE", "https://www.example.org:8443/", "the address that people use"),
        ("MAX_BODY_BYTES", "2MB", "integer"),
        ("RATE_LIMIT_RPM", "-1", "0"),
        ("DOCUMENT_LIMITS", "elements", "such as elements=2000"),
        ("DOCUMENT_LIMITS", "elements=-5", "such as elements=2000"),
        ("RATE_LIMIT_BURST", "0", "1"),
        ("RATE_LIMIT_URL", "http://:hunter2@cache", "redis://"),
        ("RATE_LIMIT_URL", "redis://:hunter2@cache:x/0", "redis://"),
        ("RATE_LIMIT_URL", "redis:///0", "redis://"),
        ("TRUSTED_PROXIES", "10.0.0.1/8", "IP addresses or networks"),
    ],
)
def test_a_wrong_value_is_one_line_that_names_the_variable_and_not_the_value(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, hint: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError) as wrong:
        Settings.load()
    line = str(wrong.value)
    assert line.startswith(f"{name} ")
    assert hint in line
    assert "\n" not in line
    assert "hunter2" not in line


def test_all_wrong_values_are_named_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PORT", "x")
    monkeypatch.setenv("LOG_LEVEL", "y")
    with pytest.raises(SettingsError, match=r"PORT .*; LOG_LEVEL "):
        Settings.load()


@pytest.mark.parametrize(
    ("value", "disabled", "odd"),
    [
        ("true", True, False),
        ("TRUE", False, True),
        ("1", False, True),
        ("yes", False, True),
        (" true", False, True),
        ("false", False, False),
        ("", False, False),
    ],
)
def test_only_exactly_true_disables_authentication(
    monkeypatch: pytest.MonkeyPatch, value: str, disabled: bool, odd: bool
) -> None:
    monkeypatch.setenv("AUTH_DISABLED", value)
    chosen = Settings.load()
    assert (chosen.auth_is_disabled, chosen.auth_value_is_odd) == (disabled, odd)


def test_addresses_are_limited_as_keys_are_unless_it_is_said_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RATE_LIMIT_RPM", "120")
    assert Settings.load().public_rate == (120, 10)
    monkeypatch.setenv("PUBLIC_RATE_LIMIT_RPM", "0")
    monkeypatch.setenv("PUBLIC_RATE_LIMIT_BURST", "3")
    assert Settings.load().public_rate == (0, 3)


def test_an_account_may_ask_five_times_as_often_as_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RATE_LIMIT_RPM", "120")
    assert Settings.load().account_rate == (600, 50)
    monkeypatch.setenv("ACCOUNT_RATE_LIMIT_RPM", "0")
    assert Settings.load().account_rate[0] == 0
    monkeypatch.delenv("ACCOUNT_RATE_LIMIT_RPM")
    monkeypatch.setenv("RATE_LIMIT_RPM", "0")
    assert Settings.load().account_rate[0] == 0, "no limit of a key, none of its account"


def test_an_empty_variable_counts_as_unset(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PORT", "")
    monkeypatch.setenv("BOOTSTRAP_API_KEY", "")
    assert (Settings.load().port, Settings.load().bootstrap_api_key) == (3000, None)


def test_limits_of_documents_are_chosen_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Settings.load().chosen_limits == {}
    monkeypatch.setenv("DOCUMENT_LIMITS", " elements=2000, label_length = 80,")
    assert Settings.load().chosen_limits == {"elements": 2000, "label_length": 80}


def test_a_secret_does_not_show_when_the_settings_are_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOOTSTRAP_API_KEY", "dsp_sk_hunter2")
    monkeypatch.setenv("RATE_LIMIT_URL", "redis://:hunter2@cache/0")
    assert "hunter2" not in repr(Settings.load())


def test_the_tool_server_asks_the_local_service_without_a_key_unless_told_otherwise(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert (Settings.load().service_api_key, Settings.load().service_api_url) == (None, "http://127.0.0.1:3000")
    monkeypatch.setenv("SERVICE_API_URL", "https://scenes.example/")
    monkeypatch.setenv("SERVICE_API_KEY", "two words")
    with pytest.raises(SettingsError, match="SERVICE_API_KEY must be a key"):
        Settings.load()
    monkeypatch.setenv("SERVICE_API_KEY", "dsp_sk_hunter2")
    assert Settings.load().service_api_url == "https://scenes.example"
    assert "hunter2" not in repr(Settings.load())


def test_every_variable_has_a_line_of_help() -> None:
    assert all(name.isupper() and text.endswith(".") for name, _default, text in table())


@pytest.mark.parametrize(
    ("name", "value", "hint"),
    [
        ("SIGNUP_ENABLED", "yes", "'true' or 'false'"),
        ("SMTP_URL", "http://:hunter2@mail.example", "smtp://user:password@host:port"),
        ("SMTP_URL", "smtp://u:hunter2@mail.example:port", "smtp://"),
        ("SMTP_URL", "smtp://mail.example?starttls=perhaps", "?starttls=always"),
        ("MAIL_FROM", "Scenograph <a@example.org>", "an address such as"),
        ("SIGNUPS_PER_HOUR", "-1", "0"),
    ],
)
def test_wrong_values_of_mail_and_sign_up_are_named(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, hint: str
) -> None:
    test_a_wrong_value_is_one_line_that_names_the_variable_and_not_the_value(monkeypatch, name, value, hint)


def test_mailed_links_need_a_public_site_to_lead_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SIGNUP_ENABLED", "true")
    assert Settings.load().signup_is_open, "without a mail server the links go to the log"
    monkeypatch.setenv("SMTP_URL", "smtp://mail.example")
    with pytest.raises(SettingsError, match=r"^PUBLIC_SITE must be set"):
        Settings.load()
    monkeypatch.setenv("PUBLIC_SITE", "https://diagrams.test")
    assert Settings.load().signup_is_open
