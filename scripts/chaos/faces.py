"""A published scene has eight faces. Once its owner has taken it back, none of them shows it, at any server.

Readers ask all of them again and again meanwhile. What began after the withdrawal was acknowledged is a 404, or a 503
where no engine process was free to find that out.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http.client import HTTPConnection
from typing import NamedTuple
from urllib.parse import quote, urlsplit

from local_servers.calling import PATIENCE, Caller

from chaos.scenes import document, require

SCENE = "shown"
FACES: tuple[tuple[str, str], ...] = (
    ("GET", "/s/{id}"),
    ("GET", "/s/{id}.svg"),
    ("GET", "/s/{id}.png"),
    ("GET", "/s/{id}/preview.png"),
    ("GET", "/s/{id}/embed"),
    ("GET", "/v1/public/scenes/{id}"),
    ("POST", "/v1/public/scenes/{id}/render"),
    ("GET", "/oembed?url={page}"),
)
HIDING = (("POST", "/v1/scenes/{id}/make-private"),)
DELETING = (("DELETE", "/v1/scenes/{id}"), ("POST", "/v1/scenes/{id}/undelete"))
WITHDRAWALS = (HIDING, DELETING, HIDING)
HIDDEN = {404, 503}
PAUSE = 0.05  # seconds between a reader's calls
BUSY = {"RENDER_WORKERS": "2", "PUBLIC_ENGINE_SECONDS": "0", "RENDER_QUEUE_SECONDS": "20"}


class Answer(NamedTuple):
    """When a reader began to ask, and what it was told."""

    began: float
    face: str
    status: int


def withdraw(urls: Sequence[str], times: int) -> Counter[int]:
    """Publish and withdraw so often, in turn by each way; how often each status came. Broken when a face shows a scene
    whose withdrawal had been acknowledged."""
    with Caller(urls[0]) as owner:
        require(owner.call("POST", "/v1/scenes", document(SCENE))[0] == 201, "the scene was not created")
        seen: Counter[int] = Counter()
        for number in range(times):
            seen += _withdraw_once(owner, urls, WITHDRAWALS[number % len(WITHDRAWALS)])
    return seen


def _withdraw_once(owner: Caller, urls: Sequence[str], way: tuple[tuple[str, str], ...]) -> Counter[int]:
    status, said = owner.call("POST", f"/v1/scenes/{SCENE}/publish")
    require(status == 200, f"publishing was answered {status}")
    place = {"id": SCENE, "page": quote(str(said["publicUrl"]), safe="")}
    over = threading.Event()
    answers: list[Answer] = []
    faces = [(method, face, face.format(**place)) for method, face in FACES]

    def read(url: str, method: str, face: str, path: str) -> None:
        with closing(_connected(url)) as connection:
            while not over.wait(PAUSE):
                answers.append(_asked(connection, method, face, path))

    with ThreadPoolExecutor(len(urls) * len(FACES)) as pool:
        reading = [pool.submit(read, url, *face) for url in urls for face in faces]
        try:
            _wait_for(answers, {(face, 200) for _, face in FACES}, "is not shown")
            status, _ = owner.call(way[0][0], way[0][1].format(**place))
            withdrawn = time.monotonic()
            require(status == 200, f"{way[0]} was answered {status}")
            for url in urls:  # each face of each server once more, for certain after it
                with closing(_connected(url)) as connection:
                    answers += [_asked(connection, *face) for face in faces]
        finally:
            over.set()
        for reader in reading:
            reader.result()
    for answer in answers:
        hidden = answer.began < withdrawn or answer.status in HIDDEN
        require(hidden, f"{answer.face} was answered {answer.status} after {way[0]}")
    for method, path in way[1:]:
        require(owner.call(method, path.format(**place))[0] == 200, "the scene did not come back")
    return Counter(answer.status for answer in answers)


def _wait_for(answers: list[Answer], wanted: set[tuple[str, int]], sentence: str) -> None:
    end = time.monotonic() + PATIENCE
    while missing := wanted - {(answer.face, answer.status) for answer in list(answers)}:
        require(time.monotonic() < end, f"{sorted(missing)[0][0]} {sentence}")
        time.sleep(0.01)


def _connected(url: str) -> HTTPConnection:
    parts = urlsplit(url)
    return HTTPConnection(str(parts.hostname), parts.port, timeout=PATIENCE)


def _asked(connection: HTTPConnection, method: str, face: str, path: str) -> Answer:
    began = time.monotonic()
    body = b"{}" if method == "POST" else None
    connection.request(method, path, body, {"Content-Type": "application/json"} if body else {})
    reply = connection.getresponse()
    reply.read()
    return Answer(began, face, reply.status)
