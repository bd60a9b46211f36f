"""States that somebody has written by hand: the check is right, and the contents are not."""

import copy
import json
import os
import pickle
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from phenesthe.memory.folder import FORMAT
from phenesthe.memory.pack import pack_file, unpack_file
from tests.damage.damages import reseal
from tests.unit.strange.command import Done, run_here

PROGRAM = """
input event e(x: int, y: str);
input state s(x: int);
fact f(x: int);
event a(X) : e(X, _) and not f(X);
state b(X) : a(X) ~> e(X, "z");
state c(X) : (b(X) union s(X)) lasting >= 2;
"""
OTHERS: tuple[object, ...] = (None, -1, 2**70, 1.5, True, "", "x", [], {}, [None])
VALUES = ("q", 1.5, None, 2**62, -5, True, [1])
_GONE = object()


@pytest.fixture(autouse=True)
def _disk_is_quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", lambda _: None)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a sound state, and rows to go on with."""
    folder = tmp_path_factory.mktemp("states")
    (folder / "p.phe").write_text(PROGRAM)
    for name, first in (("in", 1), ("later", 30)):
        (folder / name).mkdir()
        rows = [f"{t % 3},{'yz'[t % 2]},{t}\n" for t in range(first, first + 29)]
        (folder / name / "e.csv").write_text("x,y,t\n" + "".join(rows))
        (folder / name / "s.csv").write_text(f"x,ts,te\n1,{first + 2},{first + 8}\n")
        (folder / name / "f.csv").write_text("x\n2\n")
    assert go_on(folder, "state", "in").code == 0
    return folder


def go_on(folder: Path, state: str, rows: str) -> Done:
    return run_here(
        "run", folder / "p.phe", "--input", folder / rows, "--state", folder / state,
        "--window", "10", "--step", "5", "--engine", "local", "--quiet",
    )  # fmt: skip


def read_sound(folder: Path) -> tuple[dict[str, Any], dict[str, pa.Table]]:
    content, tables = unpack_file((folder / "state" / "state").read_bytes(), "state")
    return json.loads(json.dumps(content)), tables


def try_state(folder: Path, data: bytes) -> tuple[Done, Done]:
    """What `memory` and the next run say of such a state."""
    shutil.rmtree(folder / "forged", ignore_errors=True)
    shutil.copytree(folder / "state", folder / "forged")
    (folder / "forged" / "state").write_bytes(data)
    shown = run_here("memory", folder / "forged")
    return shown, go_on(folder, "forged", "later")


def forge(content: dict[str, Any], tables: dict[str, pa.Table]) -> bytes:
    packed = pack_file("state", FORMAT, content, tables)
    return b"".join(map(bytes, (packed.line, *packed.pieces)))


def check_damaged(folder: Path, data: bytes) -> None:
    for done in try_state(folder, data):
        assert done.code == 1
        assert "is damaged: `state` is not as it was written" in done.err


def list_places(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if place:
        yield place
    if isinstance(value, dict | list):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, one in items:
            yield from list_places(one, (*place, key))


def put(content: dict[str, Any], place: tuple[Any, ...], other: object) -> dict[str, Any]:
    changed: Any = copy.deepcopy(content)
    inner = changed
    for key in place[:-1]:
        inner = inner[key]
    if other is _GONE:
        del inner[place[-1]]
    else:
        inner[place[-1]] = other
    return changed  # type: ignore[no-any-return]


def test_a_sound_state_is_read(made: Path) -> None:
    shown, done = try_state(made, forge(*read_sound(made)))
    assert (shown.code, done.code) == (0, 0)


def test_every_field_missing(made: Path) -> None:
    """Of what is listed, an entry more or less may be another sound state."""
    content, tables = read_sound(made)
    for place in list_places(content):
        shown, done = try_state(made, forge(put(content, place, _GONE), tables))
        if len(place) <= 2 and isinstance(place[-1], str):
            assert "damaged" in done.err, place
        assert shown.code in (0, 1)


def test_every_field_of_another_kind(made: Path) -> None:
    """Some of the others for each; the soak of damaged files tries more."""
    content, tables = read_sound(made)
    for at, place in enumerate(list_places(content)):
        for other in (OTHERS[at % len(OTHERS)], OTHERS[(at + 4) % len(OTHERS)]):
            for done in try_state(made, forge(put(content, place, other), tables)):
                assert done.code in (0, 1)


def test_a_run_of_another_kind(made: Path) -> None:
    content, tables = read_sound(made)
    for place in list_places(content["run"]):
        check_damaged(made, forge(put(content, ("run", *place), {"no": 1}), tables))


@pytest.mark.parametrize("kind", ["gone", "no rows", "twice", "no columns", "others"])
def test_every_table(kind: str, made: Path) -> None:
    content, tables = read_sound(made)
    for name, table in tables.items():
        others = {
            "no rows": table.slice(0, 0),
            "twice": pa.concat_tables([table, table]),
            "no columns": pa.table({}),
            "others": pa.table({"q": [1]}),
        }
        kept = {one: found for one, found in tables.items() if one != name}
        changed = kept if kind == "gone" else {**kept, name: others[kind]}
        for done in try_state(made, forge(content, changed)):
            assert done.code == 1 or kind in ("no rows", "twice"), name


def test_every_column(made: Path) -> None:
    content, tables = read_sound(made)
    columns = [(name, field.name) for name, table in tables.items() for field in table.schema]
    for at, (name, column) in enumerate(columns):
        table = tables[name]
        for value in (VALUES[at % len(VALUES)], VALUES[(at + 3) % len(VALUES)]):
            place = table.column_names.index(column)
            other = table.set_column(place, column, pa.array([value] * table.num_rows))
            for done in try_state(made, forge(content, {**tables, name: other})):
                assert done.code in (0, 1)


def test_values_nested_too_deeply(made: Path) -> None:
    data = b'{"content": ' + b"[" * 100_000 + b"]" * 100_000 + b', "tables": {}}'
    line = f"phenesthe state {FORMAT} 0 0 {len(data)}".encode()
    check_damaged(made, reseal(line.ljust(63) + b"\n" + data + bytes(-len(data) % 64)))


@pytest.mark.parametrize("length", [-1, 10**6, 2**40, 2**62, 10**40])
def test_lengths_that_are_not_there(length: int, made: Path) -> None:
    content, tables = read_sound(made)
    sound = forge(content, tables)
    words = sound[:64].split()
    words[5] = str(length).encode()
    check_damaged(made, b" ".join(words).ljust(63) + b"\n" + sound[64:])
    for at in range(2):
        places = {"0/values.int": [length, 64][:: -1 if at else 1]}
        values = json.dumps({"content": content, "tables": places}).encode()
        line = f"phenesthe state {FORMAT} 0 0 {len(values)}".encode()
        check_damaged(made, reseal(line.ljust(63) + b"\n" + values + bytes(-len(values) % 64)))


class _Trap:
    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return os.mkdir, ("trap",)


def test_a_pickle_is_never_loaded(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    trap = pickle.dumps(_Trap())
    check_damaged(made, trap)
    line = f"phenesthe state {FORMAT} 0 0 {len(trap)}".encode()
    check_damaged(made, reseal(line.ljust(63) + b"\n" + trap + bytes(-len(trap) % 64)))
    assert not (tmp_path / "trap").exists()
