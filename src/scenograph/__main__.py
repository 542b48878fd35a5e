"""The entry point. It imports nothing of the service before `main` runs: worker processes read this module again."""

import gc


def main() -> None:
    """Run the command line."""
    from scenograph.cli import app  # noqa: PLC0415 - see above

    try:
        app()
    finally:
        # Python looks through all that is left for garbage when it ends, which is all that was imported: 30 ms.
        gc.freeze()


if __name__ == "__main__":
    main()
