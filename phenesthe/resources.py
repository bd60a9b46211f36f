"""The grammar and the definition library: inside an installed package, or beside a checkout."""

from pathlib import Path

_PACKAGE = Path(__file__).parent


def _resource(name: str) -> Path:
    installed = _PACKAGE / name
    return installed if installed.is_dir() else _PACKAGE.parent / name


LANGUAGE = _resource("language")
LIBRARY = _resource("stdlib")
