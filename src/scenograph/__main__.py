"""The entry point. Imports nothing of the service before `main` runs: worker processes import this module again."""

import gc


def main() -> None:
    """Run the command line."""
    from scenograph.cli import app  # noqa: PLC0415 - see above

    try:
        app()
    finally:
        # At exit Python collects garbage among all remaining objects, including every import: 30 ms.
        gc.freeze()


if __name__ == "__main__":
    main()
