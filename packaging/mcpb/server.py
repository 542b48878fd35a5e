"""What a host of the bundle runs: the tool server, with a service of its own unless the user named one.

The host's folder may be anywhere, so scenes go to the user's data folder.
"""

# ruff: noqa: INP001

from __future__ import annotations

import os
import sys

from scenograph.__main__ import main
from scenograph.settings import SQLITE_PREFIX, data_folder


def start() -> None:
    """Run `scenograph mcp`; SERVICE_API_URL decides whether with --local."""
    if os.environ.get("SERVICE_API_URL"):
        sys.argv[1:] = ["mcp"]
    else:
        folder = data_folder()
        folder.mkdir(parents=True, exist_ok=True)
        os.environ["DATABASE_URL"] = f"{SQLITE_PREFIX}{folder / 'scenograph.db'}"
        os.environ["SERVICE_API_KEY"] = ""  # a key without an address belongs to no service
        sys.argv[1:] = ["mcp", "--local"]
    main()


if __name__ == "__main__":
    start()
