"""The entry point. It imports nothing of the service before `main` runs: worker processes read this module again."""

from __future__ import annotations

import os
import sys

READER_LEFT = 141  # what a shell reports of a program that SIGPIPE ended


def main() -> None:
    """Run the command line."""
    from scenograph.cli import app  # noqa: PLC0415 - see above

    try:
        try:
            app()
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        # End as a program does whose reader has closed the pipe, such as `head`: without a word
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(READER_LEFT)


if __name__ == "__main__":
    main()
