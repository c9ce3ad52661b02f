"""The command `groundtypes`: arguments in, files and an exit code out.

`app` lists the commands, one module each; `options` holds the groups of options that they share,
and `guard` turns what goes wrong into one line and an exit code. A command imports the rest of the
library when it runs, so that `groundtypes --help` starts fast.
"""

try:
    import rich as _rich  # noqa: F401 # tried first: without it, a command would fail half-way
    import typer as _typer  # noqa: F401 # the same
except ImportError as error:
    raise ImportError(
        "The command line of groundtypes needs typer and rich: pip install 'groundtypes[cli]'"
    ) from error
