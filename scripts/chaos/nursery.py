"""A process that has imported the service and forks a server for each line it reads, to be killed by whoever asked.

It prints the server's process id and address, and `gone` when it is dead. Its servers keep scenes and draw none:
without engine processes a life is short.
"""

from __future__ import annotations

import os
import sys
from typing import Any

from scenograph import wiring
from scenograph.http import logs, server
from scenograph.http.app import create_app
from scenograph.settings import Settings
from scenograph.workers import InThisProcess, Turns


class NoWorkers(InThisProcess):
    """In the place of the engine's processes: documents are judged and edited in the server itself."""

    def __init__(self, *_: Any, **__: Any) -> None:
        """Start nothing."""
        self.turns = Turns(1, queue_seconds=1.0)

    def bounds(self, _scene: Any) -> dict[str, Any]:
        """Nothing is drawn, so nothing is anywhere."""
        return {}

    def alive(self) -> bool:
        """Nobody asks."""
        return False

    def replaced(self) -> int:
        """None was lost."""
        return 0

    def close(self) -> None:
        """Nothing was started."""


def main() -> None:
    """One server a line, until the input ends."""
    settings = Settings.load()
    wiring.EngineWorkers = NoWorkers  # type: ignore[assignment,misc]
    for _ in sys.stdin:
        listener = server.listen(settings.host, 0)
        child = os.fork()
        if child == 0:
            logs.configure("error", "json")
            server.serve(create_app(wiring.build(settings)), listener, server.ServerRules())
            os._exit(1)
        _say(f"{child} {server.address_of(listener)}")
        listener.close()
        os.waitpid(child, 0)
        _say("gone")


def _say(line: str) -> None:
    os.write(1, f"{line}\n".encode())


if __name__ == "__main__":
    main()
