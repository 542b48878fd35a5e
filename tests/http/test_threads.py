"""Writers that wait for a thread."""

from __future__ import annotations

import anyio
import pytest
from starlette.responses import Response

from scenograph.http import app
from scenograph.storage.interface import StorageUnavailable


@pytest.mark.parametrize(("longest_wait", "written"), [(60.0, ["it"]), (-1.0, [])])
def test_a_writer_that_waited_too_long_for_a_thread_is_refused_and_writes_nothing(
    longest_wait: float, written: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app, "LONGEST_WAIT_SECONDS", longest_wait)
    done = list[str]()

    def write() -> Response:
        done.append("it")
        return Response()

    async def ask() -> None:
        if written:
            await app.in_threads_for_writing(write)()
        else:
            with pytest.raises(StorageUnavailable):
                await app.in_threads_for_writing(write)()

    anyio.run(ask)
    assert done == written
