"""What stands before the service, addresses with a user in them, and callers who send another sort of log-in."""

from __future__ import annotations

from typing import Any

import pytest
from tests.mcp.conftest import Desk, Recorder

from scenograph.mcp.answers import explained, remark_lines
from scenograph.mcp.api_client import Refusal, without_user
from scenograph.mcp.resources import WrongPrompt, written
from scenograph.mcp.server import _key_in
from scenograph.settings import Settings, SettingsError


@pytest.mark.parametrize(
    ("status", "said"),
    [(401, "way_barred"), (403, "way_barred"), (429, "way_throttled"), (502, "way_broken"), (504, "way_broken")],
)
def test_what_stands_before_the_service_has_sentences_of_its_own(recorder: Recorder, status: int, said: str) -> None:
    recorder.status, recorder.body = status, b"<html>nginx</html>"
    text = Desk(recorder.address).refused("dsp_list_recently_deleted")
    assert said in text
    assert f"status {status}" in text
    assert "\nNext: " in text


def test_retry_after_is_seconds_or_a_date() -> None:
    def told(value: str) -> str:
        return explained(Refusal(code="rate_limited", sentence="Wait.", retry_after=value), {})

    assert "Retry after 7 s." in told("7")
    assert "Retry after Wed, 21 Oct 2026 07:28:00 GMT." in told("Wed, 21 Oct 2026 07:28:00 GMT")


@pytest.mark.parametrize(
    "diagnostics", [None, 7, "x", {}, [None, 3], [{"severity": []}], [{"data": {"suggestion": 1}}]]
)
def test_diagnostics_of_any_shape_are_told_or_passed_over(diagnostics: Any) -> None:
    assert all(isinstance(line, str) for line in remark_lines(diagnostics))


def test_an_address_is_shown_without_its_user() -> None:
    assert without_user("https://me:secret@scenes.example:8443/base") == "https://scenes.example:8443/base"


@pytest.mark.parametrize(
    "address",
    ["http://", "http://:80", "http://a:99999", "http://a:0", "http://a:x", "http://a b", "http://a?x=1", "http://a#b"],
)
def test_an_address_that_no_call_can_be_made_to_stops_the_start(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    monkeypatch.setenv("SERVICE_API_URL", address)
    with pytest.raises(SettingsError, match="SERVICE_API_URL must be http://host:port"):
        Settings.load()


@pytest.mark.parametrize("sent", ["", "Basic bWU6c2VjcmV0", "Bearer", "Bearer a b", "Token x"])
def test_another_sort_of_log_in_is_no_key(sent: str) -> None:
    assert _key_in(sent) is None


def test_a_prompt_with_a_theme_that_is_none_or_too_much_text_is_refused() -> None:
    with pytest.raises(WrongPrompt, match="theme must be one of"):
        written("er_from_sql", {"sql": "x", "theme": "neon"}, key=True)
    with pytest.raises(WrongPrompt, match="more than"):
        written("er_from_sql", {"sql": "x" * 400_000}, key=True)
