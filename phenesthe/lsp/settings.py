"""What a person may set, in the section `phenesthe` of the editor's settings."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

SECTION = "phenesthe"


@dataclass(frozen=True, slots=True)
class Settings:
    """`path` are folders of modules, as with `--path`; a relative one counts from the workspace."""

    path: tuple[Path, ...] = ()
    inlay_hints: bool = True


def read_settings(given: object, folder: Path) -> Settings:
    """What makes no sense counts as not set: a typing error in settings must not stop anything."""
    if not isinstance(given, Mapping):
        return Settings()
    path = given.get("path")
    hints = given.get("inlayHints")
    return Settings(
        path=tuple(folder / Path(item).expanduser() for item in _list_texts(path)),
        inlay_hints=hints if isinstance(hints, bool) else True,
    )


def _list_texts(value: object) -> list[str]:
    items = [value] if isinstance(value, str) else value if isinstance(value, list) else []
    return [item for item in items if isinstance(item, str) and item]
