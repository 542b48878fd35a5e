#!/usr/bin/env python3
# ruff: noqa: T201, S603, S607, S310 (it starts the program it is given, runs bash, and reports)
"""Takes the README's tour with an installed Scenograph: starts the service and runs the curl commands as they stand.

    python3 scripts/try_readme.py path/to/bin/scenograph

Only the port differs from the README. Needs bash and curl, and nothing of the project's own environment.
"""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import tempfile
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

README = Path(__file__).parents[1] / "README.md"
KEY = "dsp_sk_0123456789abcdef0123456789abcdef"
PNG = b"\x89PNG\r\n"
# The pictures that the tour writes, with the bytes that each begins with.
PICTURES = {"shop.svg": b"<svg", "shop.png": PNG, "inline.png": PNG}


def tour() -> str:
    """The commands of the README's section with curl."""
    found = re.search(r"^## [^\n]*with curl$.*?^```sh\n(.*?)^```$", README.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    if found is None:
        raise LookupError("README.md has no section with curl.")
    return found[1]


@contextmanager
def service(program: str, folder: Path) -> Generator[str]:
    """A service that keeps its scenes in `folder`; its address, once it is ready."""
    with socket.create_server(("127.0.0.1", 0)) as chosen:
        port = chosen.getsockname()[1]
    environment = {**os.environ, "PORT": str(port), "BOOTSTRAP_API_KEY": KEY, "DATABASE_URL": "sqlite:///tour.db"}
    command = [str(Path(program).absolute()), "serve"]
    with subprocess.Popen(command, cwd=folder, env=environment, stderr=subprocess.PIPE, text=True) as process:
        try:
            address = f"http://127.0.0.1:{port}"
            subprocess.run(
                [
                    "curl",
                    "--silent",
                    "--fail",
                    "--retry",
                    "60",
                    "--retry-delay",
                    "1",
                    "--retry-all-errors",
                    f"{address}/ready",
                ],
                check=True,
                stdout=subprocess.DEVNULL,
            )
            yield address
        finally:
            process.terminate()
            process.communicate(timeout=20)


def take(address: str, folder: Path) -> list[dict[str, object]]:
    """Run the tour in `folder`; the JSON replies in order."""
    commands = tour().replace("http://127.0.0.1:3000", address)
    done = subprocess.run(["bash", "-eu"], cwd=folder, input=commands, capture_output=True, text=True, check=True)
    decoder, replies, rest = json.JSONDecoder(), [], done.stdout.strip()
    while rest:
        reply, end = decoder.raw_decode(rest)
        replies.append(reply)
        rest = rest[end:].lstrip()
    return replies


def complaints(replies: Sequence[dict[str, object]], folder: Path) -> list[str]:
    """What differs from what the README says of its steps."""
    revisions = [reply.get("revision") or reply.get("error") for reply in replies]
    found: list[str] = []
    if revisions[:2] != [1, 2] or "conflict" not in json.dumps(replies[-1]):
        found.append(f"expected revision 1, revision 2 and a conflict, not {json.dumps(replies)[:600]}")
    for name, beginning in PICTURES.items():
        content = (folder / name).read_bytes()[:16] if (folder / name).exists() else b""
        if not content.startswith(beginning):
            found.append(f"{name} begins with {content!r}")
    return found


def main(arguments: Sequence[str]) -> int:
    """Take the tour; 1 when a step did not do what the README says."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        with service(arguments[0], folder) as address:
            with urlopen(f"{address}/") as page:
                found = [] if b"<html" in page.read() else ["/ is no page"]
            found += complaints(take(address, folder), folder)
    print("\n".join(found) or "The tour holds.")
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
