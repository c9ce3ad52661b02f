"""The command `groundtypes`."""
