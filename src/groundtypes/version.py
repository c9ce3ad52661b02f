"""The version of the installed package."""

__all__ = ["package_version"]


def package_version() -> str:
    """Return the version of the installed distribution, or `0+unknown` in a bare source tree."""
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415 # slow to import

    try:
        return version("groundtypes")
    except PackageNotFoundError:
        return "0+unknown"
