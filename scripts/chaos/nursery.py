"""A process that has imported the service and forks a server for each line it reads, to be killed by whoever asked.

It prints the server's process id and address, and `gone` when it is dead.
"""

from __future__ import annotations

import os
import sys

from scenograph.http import logs, server
from scenograph.http.app import create_app
from scenograph.settings import Settings
from scenograph.wiring import build


def main() -> None:
    """One server a line, until the input ends."""
    settings = Settings.load()
    for _ in sys.stdin:
        listener = server.listen(settings.host, 0)
        child = os.fork()
        if child == 0:
            logs.configure("error", "json")
            server.serve(create_app(build(settings)), listener)
            os._exit(1)
        _say(f"{child} {server.address_of(listener)}")
        listener.close()
        os.waitpid(child, 0)
        _say("gone")


def _say(line: str) -> None:
    os.write(1, f"{line}\n".encode())


if __name__ == "__main__":
    main()
