"""Every line on standard input is answered, and what was asked before the input ended is answered as well."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from mcp_types import JSONRPCError, jsonrpc_message_adapter
from tests.mcp.conftest import KEY, Service, small_document
from tests.mcp.test_processes import COMMAND, HELLO, LISTEN, PATIENCE, environment

from scenograph.mcp.running import answer_to

NESTED = "[" * 260 + "]" * 260
PARSE_ERROR, INVALID_REQUEST = -32700, -32600
BROKEN = [
    ("not json", PARSE_ERROR, None),
    ('{"jsonrpc":"2.0","id":4,"method":"ping","params":{"a":"\\ud800"}}', PARSE_ERROR, 4),
    ('{"jsonrpc":"2.0","id":"five","method":"ping","params":{"a":' + NESTED + "}}", PARSE_ERROR, "five"),
    ('{"jsonrpc":"2.0","id":6,"method":"ping","params":{"a":' + "9" * 5_000 + "}}", PARSE_ERROR, 6),
    ('{"jsonrpc":"2.0","id":"\\ud800","method":"ping"}', PARSE_ERROR, None),
    ('{"jsonrpc":"2.0","id":' + "9" * 5_000 + ',"method":"ping"}', PARSE_ERROR, None),
    ("[" * 100_000, PARSE_ERROR, None),
    ('[{"jsonrpc":"2.0","id":7,"method":"ping"}]', INVALID_REQUEST, None),
    ('{"jsonrpc":"1.0","id":8,"method":"ping"}', INVALID_REQUEST, 8),
    ("7", INVALID_REQUEST, None),
]


@pytest.mark.parametrize(("line", "code", "request_id"), BROKEN, ids=range(len(BROKEN)))
def test_a_line_that_is_no_message_gets_an_error_with_the_id_that_can_be_made_out(
    line: str, code: int, request_id: Any
) -> None:
    with pytest.raises(ValueError, match="validation error") as refused:
        jsonrpc_message_adapter.validate_json(line, by_name=False)
    answer = answer_to(refused.value)
    assert isinstance(answer, JSONRPCError)
    assert (answer.error.code, answer.id) == (code, request_id)
    assert json.loads(answer.model_dump_json(exclude_unset=True))["id"] == request_id


def test_all_that_was_asked_is_answered_when_the_input_ends_at_once(tmp_path: Path, service: Service) -> None:
    calls = [
        {
            "jsonrpc": "2.0",
            "id": number,
            "method": "tools/call",
            "params": {"name": "dsp_render_scene", "arguments": {"scene": small_document("piped"), "format": "png"}},
        }
        for number in (2, 3)
    ]
    lines = [*(json.dumps(each) for each in (HELLO, LISTEN, *calls)), *(line for line, _, _ in BROKEN)]
    done = subprocess.run(
        COMMAND,
        input="\n".join(lines) + "\n",
        env=environment(tmp_path, SERVICE_API_URL=service.address, SERVICE_API_KEY=KEY),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    images = {each["id"] for each in answers if "image" in json.dumps(each.get("result", {}).get("content", ""))}
    assert images == {2, 3}
    told = sorted((each["error"]["code"], str(each["id"])) for each in answers if "error" in each)
    assert told == sorted((code, str(request_id)) for _, code, request_id in BROKEN)
