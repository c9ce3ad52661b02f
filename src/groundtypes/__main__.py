"""`python -m groundtypes` is the command `groundtypes`."""

from groundtypes.cli.app import main

if __name__ == "__main__":
    main()
