"""The entry point. It imports nothing of the service before `main` runs: worker processes read this module again."""


def main() -> None:
    """Run the command line."""
    from scenograph.cli import app  # noqa: PLC0415 - see above

    app()


if __name__ == "__main__":
    main()
