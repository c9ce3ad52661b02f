"""The console script `groundtypes`, and `python -m groundtypes`."""

import sys

if __name__ == "__main__" and "-m" in sys.orig_argv and not sys.flags.safe_path:
    # `python -m` looks for modules in the working folder first, so that a file beside the data
    # with the name of a package would be executed in its place.
    del sys.path[0]

__all__ = ["main"]


def main() -> None:
    """Run the command line; without the extra `cli`, say in one line what to install."""
    try:
        import groundtypes.cli  # noqa: F401, PLC0415 # needs the extra
    except ImportError as error:
        sys.stderr.write(f"groundtypes: {error}\n")
        sys.exit(2)
    from groundtypes.cli.app import main as run_app  # noqa: PLC0415 # the same

    run_app()


if __name__ == "__main__":
    main()
