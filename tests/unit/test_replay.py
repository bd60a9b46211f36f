"""Replays: when is asked, what is known then, and how a change is called."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import phenesthe
from phenesthe.check.program import CheckedProgram
from phenesthe.io import DataError
from phenesthe.io.columns import Reason
from phenesthe.io.pile import Pile
from phenesthe.io.stream import Stream, read_stream, stream_given
from phenesthe.memory import Advance, Operations, Refused
from phenesthe.memory.changes import add_query, classify
from phenesthe.memory.replay import Schedule, Turn, make_schedule, replay
from tests.reference import windowed
from tests.reference.windowed import Operation, find_timeline_start
from tests.unit.io.samples import PROGRAM, find, list_rows, write_lines


def schedule(
    begin: int | None = 10, last: int | None = 30, **given: int | None
) -> list[int] | None:
    options: dict[str, Any] = {"step": 8, "start": None, "until": None, **given}
    found = make_schedule(begin=begin, last=last, **options)
    if found is None:
        return None
    assert len(found) == len(list(found))
    return list(found)


def test_queries_begin_a_step_after_the_instant_before_the_first_input() -> None:
    assert schedule() == [17, 25, 30]
    assert schedule(last=25) == [17, 25]
    assert schedule(last=26) == [17, 25, 26]
    assert schedule(start=12) == [20, 28, 30]
    assert schedule(until=18) == [17, 18]
    assert schedule(step=100) == [30]
    assert schedule(begin=10, last=10) == [10]


def test_there_is_always_a_last_query_if_there_is_any_instant() -> None:
    assert schedule(begin=None, last=None) is None
    assert schedule(begin=None, last=None, start=5) is None
    assert schedule(begin=None, last=None, until=7) == [7]
    assert schedule(begin=None, last=None, start=0, until=9) == [8, 9]
    assert schedule(until=3) == [3]
    assert schedule(start=90) == [30]


def test_too_many_queries_are_refused() -> None:
    assert schedule(begin=1, last=10_000_000, step=1, until=20) == list(range(1, 21))
    with pytest.raises(DataError, match=r"10,000,002 queries from 0 to 10000002, every 1 ticks"):
        schedule(begin=1, last=10_000_002, step=1)
    with pytest.raises(DataError, match="ask less often"):
        schedule(begin=1 - 2**62, last=2**62 - 1, step=1)


class Recorder:
    """Remembers what it was told, and refuses what it is told to refuse."""

    def __init__(self, refused: Mapping[int, Mapping[str, Refused]] | None = None) -> None:
        self.told: list[tuple[int, dict[str, list[tuple[Any, ...]]]]] = []
        self.refused = refused or {}

    def advance(self, query_time: int, operations: Mapping[str, Operations]) -> Advance:
        found = {}
        for name, one in operations.items():
            rows = list(zip(*(column.to_pylist() for column in one.table.columns), strict=True))
            signs = [False] * len(rows) if one.retract is None else one.retract.tolist()
            found[name] = [
                (*row, "-") if sign else row for row, sign in zip(rows, signs, strict=True)
            ]
        self.told.append((query_time, found))
        return Advance(
            query=query_time, added={}, removed={}, settled={},
            refused=dict(self.refused.get(query_time, {})), late=0, rows={}, incomplete=0,
        )  # fmt: skip


def play(
    stream: Stream,
    step: int,
    recorder: Recorder,
    start: int | None = None,
    until: int | None = None,
) -> list[Turn]:
    queries = make_schedule(
        step=step, begin=stream.begin, last=stream.last, start=start, until=until
    )
    assert queries is not None
    return list(replay(recorder, queries, stream.feeds))


PORTS: dict[str, list[Any]] = {
    "vessel": [1, 2, 3, 4, 5],
    "port": ["a", "b", "c", "d", "e"],
    "ts": [1, 2, 3, 11, 4],
    "te": [20, None, 12, None, 9],
    "arrival": [None, 19, 1, 5, 99],
}


def test_a_row_is_told_at_the_first_query_that_knows_it() -> None:
    recorder = Recorder()
    turns = play(stream_given(PROGRAM, {"in_port": PORTS}), 5, recorder)
    assert recorder.told == [
        (5, {"in_port": [(1, "a", 1, 20), (3, "c", 3, 12)]}),
        (10, {}),
        (15, {"in_port": [(4, "d", 11, None)]}),  # arrived before its time
        (20, {"in_port": [(2, "b", 2, None), (5, "e", 4, 9)]}),  # one of them after the last query
    ]
    assert [turn.inputs for turn in turns] == [2, 0, 1, 2]


def test_what_lies_after_the_last_query_is_not_known() -> None:
    recorder = Recorder()
    play(stream_given(PROGRAM, {"in_port": PORTS}), 5, recorder, until=7)
    assert recorder.told == [
        (5, {"in_port": [(1, "a", 1, 20), (3, "c", 3, 12)]}),
        (7, {"in_port": [(2, "b", 2, None), (5, "e", 4, 9)]}),
    ]


def test_rows_before_the_start_are_told_at_once_for_the_memory_to_refuse() -> None:
    recorder = Recorder()
    play(stream_given(PROGRAM, {"in_port": PORTS}), 5, recorder, start=10)
    assert recorder.told[0] == (15, {"in_port": [
        (1, "a", 1, 20), (3, "c", 3, 12), (4, "d", 11, None),
    ]})  # fmt: skip


def test_operations_on_one_row_keep_the_order_of_their_arrival() -> None:
    rows = {
        "t": [5, 5, 6, 6, 7, 7, 8, 8],
        "op": ["retract", "insert", "insert", "retract", "retract", "insert", "retract", "insert"],
        "arrival": [None, None, 9, 9, 1, 2, 20, 9],
    }
    recorder = Recorder()
    stream = stream_given(PROGRAM, {"alarm": rows})
    play(stream, 4, recorder, until=16)
    assert recorder.told == [
        (8, {"alarm": [(5,), (5, "-"), (7, "-"), (7,)]}),
        (12, {"alarm": [(6,), (8,), (6, "-")]}),
        (16, {"alarm": [(8, "-")]}),
    ]
    assert (stream.begin, stream.first, stream.last) == (5, 7, 7)


def test_a_stream_measures_what_is_not_taken_back_as_a_batch_run_does() -> None:
    rows = {
        "t": [1, 1, 5, 90, 90],
        "op": ["insert", "retract", "insert", "insert", "retract"],
        "arrival": [1, 3, 5, 90, 95],
    }
    stream = stream_given(PROGRAM, {"alarm": rows})
    loaded = phenesthe.io.read_given(PROGRAM, {"alarm": rows})
    assert (stream.first, stream.last) == (loaded.first, loaded.last) == (5, 5)
    assert stream.begin == 1


def test_refused_rows_are_found_where_they_were_read(tmp_path: Path) -> None:
    (tmp_path / "ais.csv").write_text(
        "vessel,speed,name,ok,t,arrival,op\n"
        "1,0.5,a,true,30,,\n"
        "oops\n"
        '2,0.5,"b\nb",true,10,,\n'
        "3,x,c,true,10,,\n"
        "4,0.5,d,true,10,25,\n"
        "5,0.5,e,true,20,25,retract\n"
    )
    write_lines(
        tmp_path / "in_port.jsonl",
        [{"vessel": 1, "port": "a", "ts": 9, "te": None}, {}, {"vessel": 2, "port": "b", "ts": 8}],
    )
    stream = read_stream(PROGRAM, tmp_path)
    assert len(stream.rejects) == 3
    late, vain = Reason.TOO_LATE, Reason.RETRACTION_OF_NOTHING
    recorder = Recorder({
        12: {"in_port": Refused(np.array([0]), (late,))},
        27: {"ais": Refused(np.array([0, 1]), (late, vain))},
    })  # fmt: skip
    turns = play(stream, 5, recorder)
    assert [turn.count_refused(late) for turn in turns] == [1, 0, 0, 1, 0]
    assert [turn.count_refused(vain) for turn in turns] == [0, 0, 0, 1, 0]
    for turn in turns:
        turn.set_aside(stream.rejects)
    found = [json.loads(line) for line in stream.rejects.read_lines()][3:]
    assert [(Path(one["file"]).name, one["line"], one["reason"]) for one in found] == [
        ("in_port.jsonl", 3, "too late"),
        ("ais.csv", 7, "too late"),
        ("ais.csv", 8, "retraction of nothing"),
    ]
    assert found[0]["row"] == {"vessel": 2, "port": "b", "ts": 8, "te": None}
    assert found[2]["row"]["op"] == "retract"
    assert found[1]["row"]["arrival"] == 25
    assert "op" not in found[1]["row"]


def test_only_what_is_needed_is_kept_where_rows_are_not_compared(tmp_path: Path) -> None:
    row = {"name": "ais", "args": [1, 0.5, "a", True], "t": 1}
    path = write_lines(tmp_path / "in.jsonl", [row])
    columns = {"ais": ("speed",), "in_port": ()}
    feeds = read_stream(PROGRAM, path, columns=columns).feeds
    assert feeds["ais"].table.column_names == ["speed", "t"]
    assert feeds["in_port"].known.tolist() == []
    write_lines(path, [row, {**row, "op": "retract", "arrival": 3}])
    feeds = read_stream(PROGRAM, path, columns=columns).feeds
    assert feeds["ais"].table.column_names == ["vessel", "speed", "name", "ok", "t"]


@given(
    st.lists(
        st.tuples(
            st.integers(0, 5), st.integers(0, 12), st.booleans(), st.none() | st.integers(0, 20)
        ),
        max_size=12,
    ),
    st.integers(1, 9),
)
def test_every_row_is_told_once_and_as_soon_as_it_is_known(
    rows: list[tuple[int, int, bool, int | None]], step: int
) -> None:
    table = pa.table(
        {
            "leader": pa.array([row[0] for row in rows], pa.int64()),
            "follower": pa.array(range(len(rows)), pa.int64()),
            "ts": pa.array([row[1] for row in rows], pa.int64()),
            "te": pa.array([None if row[2] else row[1] + 2 for row in rows], pa.int64()),
            "arrival": pa.array([row[3] for row in rows], pa.int64()),
        }
    )
    recorder = Recorder()
    stream = stream_given(PROGRAM, {"convoy": table})
    if not rows:
        assert (stream.begin, stream.last) == (None, None)
        return
    play(stream, step, recorder)
    queries = [query for query, _ in recorder.told]
    told = {row[1]: query for query, found in recorder.told for row in found.get("convoy", ())}
    assert sum(len(found.get("convoy", ())) for _, found in recorder.told) == len(rows)
    for number, (_, ts, _, arrival) in enumerate(rows):
        known = ts if arrival is None else max(ts, arrival)
        assert told[number] == min((q for q in queries if q >= known), default=queries[-1])


OPERATIONS = st.lists(
    st.builds(
        Operation,
        st.tuples(
            st.tuples(st.integers(1, 2), st.just(1)), st.integers(0, 12), st.just(15) | st.none()
        ),
        st.booleans(),
        st.none() | st.integers(0, 25),
    ),
    max_size=10,
)


@given(
    OPERATIONS, st.integers(1, 9), st.none() | st.integers(-2, 9), st.none() | st.integers(0, 20)
)
def test_rows_are_told_as_the_reference_says(
    operations: list[Operation], step: int, start: int | None, until: int | None
) -> None:
    table = pa.table(
        {
            "leader": pa.array([one.row[0][0] for one in operations], pa.int64()),
            "follower": pa.array([one.row[0][1] for one in operations], pa.int64()),
            "ts": pa.array([one.row[1] for one in operations], pa.int64()),
            "te": pa.array([one.row[-1] for one in operations], pa.int64()),
            "arrival": pa.array([one.arrival for one in operations], pa.int64()),
            "op": pa.array(["retract" if one.retract else None for one in operations], pa.string()),
        }
    )
    given_ = {"convoy": operations}
    stream = stream_given(PROGRAM, {"convoy": table})
    assert stream.first == find_timeline_start(given_, None)
    recorder = Recorder()
    queries = make_schedule(
        step=step, begin=stream.begin, last=stream.last, start=start, until=until
    )
    if queries is not None:
        list(replay(recorder, queries, stream.feeds))
    assert recorder.told == [
        (
            query.time,
            {
                name: [(*one.row[0], *one.row[1:], *("-" * one.retract)) for one in found]
                for name, found in query.operations.items()
                if found
            },
        )
        for query in windowed.replay(given_, window=30, step=step, start=start, until=until)
    ]


def results(name: str, *rows: tuple[Any, ...]) -> pa.Table:
    one = find_definition(name)
    times = ["t"] if one.kind == "event" else ["ts", "te"]
    types = [
        *(pa.string() if kind == "str" else pa.int64() for kind in one.types),
        *(pa.int64() for _ in times),
    ]
    columns = [pa.array([row[at] for row in rows], kind) for at, kind in enumerate(types)]
    return pa.Table.from_arrays(columns, names=[*one.arguments, *times])


def find_definition(name: str, program: CheckedProgram = PROGRAM) -> Any:
    return next(one.signature for one in program.definitions if one.signature.name == name)


def changes(
    name: str, added: list[tuple[Any, ...]], removed: list[tuple[Any, ...]]
) -> set[tuple[Any, ...]]:
    table = classify(find_definition(name), results(name, *added), results(name, *removed))
    rows = list_rows(table)
    assert len(set(rows)) == len(rows)
    return set(rows)


def test_a_state_is_one_thing_by_its_start() -> None:
    assert changes(
        "held",
        [(1, "a", 5, 9), (1, "b", 5, None), (2, "a", 5, 9), (3, "a", 6, 9)],
        [(1, "a", 5, None), (1, "b", 5, 8), (3, "a", 5, 9), (4, "a", 5, None)],
    ) == {
        (1, "a", 5, 9, "revised", None),
        (1, "b", 5, None, "revised", 8),
        (2, "a", 5, 9, "new", None),
        (3, "a", 6, 9, "new", None),
        (3, "a", 5, 9, "withdrawn", None),
        (4, "a", 5, None, "withdrawn", None),
    }


def test_of_a_dynamic_only_an_unknown_end_is_revised() -> None:
    assert changes(
        "pair",
        [(1, 1, 5, 12), (1, 1, 5, 9), (2, 2, 5, 9), (3, 3, 5, None), (4, 4, 5, 7)],
        [(1, 1, 5, None), (2, 2, 5, 8), (3, 3, 5, 8), (4, 4, 5, 9), (4, 4, 5, None)],
    ) == {
        (1, 1, 5, 9, "revised", None),  # the first to end takes its place
        (1, 1, 5, 12, "new", None),
        (2, 2, 5, 9, "new", None),
        (2, 2, 5, 8, "withdrawn", None),
        (3, 3, 5, None, "new", None),
        (3, 3, 5, 8, "withdrawn", None),
        (4, 4, 5, 7, "revised", None),
        (4, 4, 5, 9, "withdrawn", None),
    }


def test_an_event_comes_and_goes() -> None:
    assert changes("rings", [(3,)], [(4,)]) == {(3, "new", None), (4, "withdrawn", None)}
    assert changes("held", [], [(1, "a", 5, 9)]) == {(1, "a", 5, 9, "withdrawn", None)}
    assert changes("held", [(1, "a", 5, 9)], []) == {(1, "a", 5, 9, "new", None)}
    assert classify(find_definition("rings"), None, None).num_rows == 0


def test_the_query_stands_before_the_change() -> None:
    table = classify(find_definition("rings"), results("rings", (3,)), None)
    assert add_query({"rings": table}, 7)["rings"].to_pylist() == [
        {"t": 3, "query": 7, "change": "new", "was": None}
    ]
    assert add_query({"rings": results("rings", (3,))}, 7)["rings"].column_names == ["t", "query"]


@pytest.mark.parametrize("count", [0, 1, 499, 500, 501, 3_700])
def test_a_pile_keeps_all_rows_in_their_order(count: int) -> None:
    pile, expected = Pile(), []
    for number in range(count):
        size = number * 7 % 4
        pile.add(pa.table({"x": pa.array([number] * size, pa.int64())}))
        expected += [number] * size
    assert pile.num_rows == len(expected)
    table = pile.take()
    assert (table["x"].to_pylist() if table is not None else []) == expected
    assert table is None or table["x"].num_chunks < 520
    assert pile.num_rows == 0
    assert pile.take() is None


def test_a_schedule_far_from_now_does_not_overflow() -> None:
    first, last = 1 - 2**62, 2**62 - 1
    recorder = Recorder()
    play(stream_given(PROGRAM, {"alarm": {"t": [last, first]}}), 2**61, recorder)
    assert [found["alarm"] for _, found in recorder.told if found] == [[(first,)], [(last,)]]
    assert len(Schedule(first - 1, 2**61, last)) == len(recorder.told)


def test_the_input_of_no_rows_is_a_feed_of_none() -> None:
    stream = stream_given(PROGRAM, {})
    assert {name: len(feed.known) for name, feed in stream.feeds.items()} == dict.fromkeys(
        (one.name for one in PROGRAM.inputs), 0
    )
    assert stream.feeds["ais"].signature == find("ais")
