"""Results to files and back."""

import csv
import io
import json
import os
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from phenesthe.io import DataError, check_target, write_results
from phenesthe.io import lines as lines_module
from phenesthe.io.times import LIMIT
from phenesthe.io.versions import SNAPSHOT, writing_versions
from phenesthe.memory.changes import add_query
from tests.unit.io.samples import PROGRAM, SCHEMAS, make_program, make_results

RESULTS = make_results(
    echo=[(10, 0.5, 'é"\n', True, 3), (9, 1e16, "a", False, 3), (9, 1e16, "a", False, -4)],
    held=[(1, "b", 5, None), (1, "b", 5, 9), (1, "B", 7, 8)],
    pair=[(2, 1, 0, 5)],
    rings=[(4,)],
)
LINES = """\
{"name": "echo", "kind": "event", "args": [9, 1e+16, "a", false], "t": -4}
{"name": "echo", "kind": "event", "args": [9, 1e+16, "a", false], "t": 3}
{"name": "echo", "kind": "event", "args": [10, 0.5, "é\\"\\n", true], "t": 3}
{"name": "held", "kind": "state", "args": [1, "B"], "ts": 7, "te": 8}
{"name": "held", "kind": "state", "args": [1, "b"], "ts": 5, "te": 9}
{"name": "held", "kind": "state", "args": [1, "b"], "ts": 5, "te": null}
{"name": "pair", "kind": "dynamic", "args": [2, 1], "ts": 0, "te": 5}
{"name": "rings", "kind": "event", "args": [], "t": 4}
"""


def test_json_lines(tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    write_results(PROGRAM, RESULTS, tmp_path / "out.jsonl")
    assert (tmp_path / "out.jsonl").read_text(encoding="utf-8") == LINES
    write_results(PROGRAM, RESULTS, None)
    assert capsysbinary.readouterr().out.decode() == LINES
    assert [one.name for one in tmp_path.iterdir()] == ["out.jsonl"]


def test_json_lines_in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines_module, "_ROWS", 2)
    write_results(PROGRAM, RESULTS, tmp_path / "out.jsonl")
    assert (tmp_path / "out.jsonl").read_text(encoding="utf-8") == LINES


def test_strings_may_come_as_dictionaries(tmp_path: Path) -> None:
    held = RESULTS["held"]
    packed = held.set_column(1, "P", held["P"].dictionary_encode())
    for results, name in ((RESULTS["held"], "a"), (packed, "b")):
        write_results(PROGRAM, {"held": results}, tmp_path / f"{name}.jsonl")
        write_results(PROGRAM, {"held": results}, tmp_path / name)
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()
    assert pq.read_table(tmp_path / "b" / "held.parquet").schema.field("P").type == pa.string()


def test_csv(tmp_path: Path) -> None:
    write_results(PROGRAM, RESULTS, tmp_path / "out.csv")
    text = (tmp_path / "out.csv").read_text(encoding="utf-8")
    assert text.splitlines()[:2] == [
        "name,kind,args,t,ts,te",
        'echo,event,"[9, 1e+16, ""a"", false]",-4,,',
    ]
    found = []
    for row in csv.DictReader(io.StringIO(text)):
        times = {key: int(row[key]) if row[key] else None for key in ("t", "ts", "te")}
        chosen = ["t"] if row["kind"] == "event" else ["ts", "te"]
        assert all(times[key] is None for key in times if key not in chosen)
        head = {"name": row["name"], "kind": row["kind"], "args": json.loads(row["args"])}
        found.append(head | {key: times[key] for key in chosen})
    assert found == [json.loads(line) for line in LINES.splitlines()]


def test_one_parquet_file(tmp_path: Path) -> None:
    write_results(PROGRAM, RESULTS, tmp_path / "out.parquet")
    table = pq.read_table(tmp_path / "out.parquet")
    assert table.column_names == ["name", "kind", "args", "t", "ts", "te"]
    expected = [json.loads(line) for line in LINES.splitlines()]
    found = [
        (one["name"], one["kind"], json.loads(one["args"]), one["t"], one["ts"], one["te"])
        for one in table.to_pylist()
    ]
    assert sorted(map(repr, found)) == sorted(
        repr((one["name"], one["kind"], one["args"], one.get("t"), one.get("ts"), one.get("te")))
        for one in expected
    )


def test_a_folder_of_typed_tables(tmp_path: Path) -> None:
    write_results(PROGRAM, RESULTS, tmp_path / "out")
    assert sorted(one.name for one in (tmp_path / "out").iterdir()) == [
        "echo.parquet", "held.parquet", "pair.parquet", "rings.parquet",
    ]  # fmt: skip
    for name, table in RESULTS.items():
        assert pq.read_table(tmp_path / "out" / f"{name}.parquet").equals(table)


def test_results_without_rows_are_written(tmp_path: Path) -> None:
    empty = make_results(echo=[], held=[])
    for name, content in {"a.jsonl": "", "a.csv": "name,kind,args,t,ts,te\n"}.items():
        write_results(PROGRAM, empty, tmp_path / name)
        assert (tmp_path / name).read_text() == content
    write_results(PROGRAM, empty, tmp_path / "a.parquet")
    assert pq.read_table(tmp_path / "a.parquet").num_rows == 0
    write_results(PROGRAM, {}, tmp_path / "b.parquet")
    assert pq.read_table(tmp_path / "b.parquet").num_columns == 6
    write_results(PROGRAM, empty, tmp_path / "a")
    assert pq.read_table(tmp_path / "a" / "held.parquet").schema.equals(SCHEMAS["held"])


def test_times_as_text(tmp_path: Path) -> None:
    results = make_results(held=[(1, "b", 0, None), (1, "b", 0, 86_400)], rings=[(-1,)])
    write_results(PROGRAM, results, tmp_path / "a.jsonl", times="iso")
    found = [json.loads(line) for line in (tmp_path / "a.jsonl").open()]
    assert [(one.get("ts"), one.get("te"), one.get("t")) for one in found] == [
        ("1970-01-01T00:00:00Z", "1970-01-02T00:00:00Z", None),
        ("1970-01-01T00:00:00Z", None, None),
        (None, None, "1969-12-31T23:59:59Z"),
    ]
    write_results(PROGRAM, results, tmp_path / "a.csv", times="iso")
    lines = (tmp_path / "a.csv").read_text().splitlines()
    assert lines[1].endswith(",,1970-01-01T00:00:00Z,1970-01-02T00:00:00Z")
    assert lines[2].endswith(",,1970-01-01T00:00:00Z,")
    for unit, step in (("second", 1), ("millisecond", 1_000), ("microsecond", 1_000_000)):
        write_results(make_program(unit), results, tmp_path / unit, times="iso")
        table = pq.read_table(tmp_path / unit / "held.parquet")
        assert str(table.schema.field("te").type.tz) == "UTC"
        assert table["te"].cast(pa.timestamp("us", "UTC")).cast(pa.int64()).to_pylist() == [
            None,
            86_400 * 1_000_000 // step,
        ]
    write_results(PROGRAM, results, tmp_path / "a.parquet", times="iso")
    assert str(pq.read_table(tmp_path / "a.parquet")["t"].to_pylist()[-1]).startswith("1969-12-31")


def test_times_no_timestamp_can_hold_are_text_or_an_error(tmp_path: Path) -> None:
    results = make_results(rings=[(LIMIT - 1,)])
    write_results(PROGRAM, results, tmp_path / "a.jsonl", times="iso")
    assert '"t": "+146138514283-06-19T07:45:03Z' in (tmp_path / "a.jsonl").read_text()
    with pytest.raises(DataError, match=r"(?s)cannot write .*times=int"):
        write_results(PROGRAM, results, tmp_path / "a", times="iso")
    assert [one.name for one in tmp_path.iterdir()] == ["a.jsonl"]


@pytest.mark.parametrize("far", [2**61, -(2**61), (2**63 - 1) // 1_000 + 1])
@pytest.mark.parametrize("name", ["a.parquet", "a", "changes.parquet", "changes"])
def test_seconds_that_parquet_cannot_hold_are_refused_by_us(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, far: int, name: str
) -> None:
    """Some versions of Arrow write another time in their place, so Arrow is not asked."""
    monkeypatch.setattr(pq, "write_table", lambda *_args, **_options: None)
    monkeypatch.setattr(pq.ParquetWriter, "write_table", lambda *_args, **_options: None)
    rows = make_results(rings=[(0,), (far,)])
    target = tmp_path / name
    with pytest.raises(DataError, match=f"cannot write .{target}.*for {far}, in .t"):
        write_far(rows, target)
    assert not target.exists()


def write_far(rows: dict[str, Any], target: Path) -> None:
    if not target.name.startswith("changes"):
        write_results(PROGRAM, rows, target, times="iso")
        return
    with writing_versions(PROGRAM, ("rings",), target, SNAPSHOT, times="iso") as write:
        write(add_query({"rings": rows["rings"]}, 1))


def test_the_last_second_that_parquet_can_hold(tmp_path: Path) -> None:
    last = (2**63 - 1) // 1_000
    write_results(PROGRAM, make_results(rings=[(last,), (-last,)]), tmp_path / "a", times="iso")
    found = pq.read_table(tmp_path / "a" / "rings.parquet")["t"]
    assert found.cast(pa.int64()).to_pylist() in ([last, -last], [1_000 * last, -1_000 * last])


def test_an_existing_result_is_kept_unless_told(tmp_path: Path) -> None:
    for name in ("a.jsonl", "a.csv", "a.parquet", "a"):
        write_results(PROGRAM, RESULTS, tmp_path / name)
        with pytest.raises(DataError, match="exists; use overwrite=True"):
            write_results(PROGRAM, make_results(rings=[]), tmp_path / name)
        write_results(PROGRAM, make_results(rings=[]), tmp_path / name, overwrite=True)
    assert (tmp_path / "a.jsonl").read_text() == ""
    assert [one.name for one in (tmp_path / "a").iterdir()] == ["rings.parquet"]
    assert len(list(tmp_path.iterdir())) == 4


def test_an_empty_folder_is_a_place_for_results(tmp_path: Path) -> None:
    (tmp_path / "a.b").mkdir()
    write_results(PROGRAM, RESULTS, tmp_path / "a.b")
    assert (tmp_path / "a.b" / "held.parquet").is_file()
    write_results(PROGRAM, RESULTS, f"{tmp_path}/run.1/")
    assert (tmp_path / "run.1" / "held.parquet").is_file()


@pytest.mark.parametrize("foreign", ["notes.txt", "x.parquet/"])
def test_a_folder_with_other_things_is_never_overwritten(tmp_path: Path, foreign: str) -> None:
    folder = tmp_path / "a"
    folder.mkdir()
    if foreign.endswith("/"):
        (folder / foreign).mkdir()
    else:
        (folder / foreign).touch()
    with pytest.raises(DataError, match="is not overwritten: it holds"):
        write_results(PROGRAM, RESULTS, folder, overwrite=True)
    assert (folder / foreign).exists()


def test_a_file_is_not_replaced_by_a_folder(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("mine")
    with pytest.raises(DataError, match="is not overwritten"):
        write_results(PROGRAM, RESULTS, tmp_path / "a", overwrite=True)
    assert (tmp_path / "a").read_text() == "mine"


def test_places_are_checked_before_the_work(tmp_path: Path) -> None:
    assert check_target(tmp_path / "a.csv", overwrite=False) == "csv"
    with pytest.raises(DataError, match=r"there is no folder .*\n.*mkdir -p"):
        check_target(tmp_path / "none" / "a.csv", overwrite=False)
    with pytest.raises(DataError, match=r"not written as `.json`"):
        check_target(tmp_path / "a.json", overwrite=False)


@pytest.mark.parametrize("name", ["a.jsonl", "a.parquet", "a"])
def test_a_disk_that_is_read_only_is_called_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    found = os.statvfs_result((*os.statvfs(tmp_path)[:8], os.ST_RDONLY, 255))
    monkeypatch.setattr(os, "statvfs", lambda _: found)
    with pytest.raises(DataError, match=r"the file system of .* is read-only"):
        check_target(tmp_path / name, overwrite=False)


@pytest.mark.parametrize("name", ["a.jsonl", "a.parquet", "a"])
def test_a_failure_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    write_results(PROGRAM, RESULTS, tmp_path / name)
    before = {one: one.read_bytes() for one in tmp_path.rglob("*") if one.is_file()}

    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("phenesthe.io.write.write_parts", fail)
    monkeypatch.setattr("pyarrow.parquet.write_table", fail)
    with pytest.raises(DataError, match="no space left on device"):
        write_results(PROGRAM, make_results(rings=[]), tmp_path / name, overwrite=True)
    assert {one: one.read_bytes() for one in tmp_path.rglob("*") if one.is_file()} == before
    assert len(list(tmp_path.iterdir())) == 1


def test_a_folder_that_cannot_be_replaced_is_put_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_results(PROGRAM, RESULTS, tmp_path / "a")

    def fail(*_: object) -> bool:
        raise OSError(1, "Operation not permitted")

    monkeypatch.setattr("phenesthe.disk.replace.exchange", fail)
    with pytest.raises(DataError, match="operation not permitted"):
        write_results(PROGRAM, make_results(rings=[]), tmp_path / "a", overwrite=True)
    assert (tmp_path / "a" / "echo.parquet").is_file()
    assert len(list(tmp_path.iterdir())) == 1


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real.jsonl").touch()
    (tmp_path / "link.jsonl").symlink_to(tmp_path / "real.jsonl")
    write_results(PROGRAM, RESULTS, tmp_path / "link.jsonl", overwrite=True)
    assert (tmp_path / "link.jsonl").is_symlink()
    assert (tmp_path / "real.jsonl").read_text(encoding="utf-8") == LINES
