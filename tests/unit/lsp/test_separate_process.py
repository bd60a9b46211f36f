"""Work that takes too much must not take the server with it."""

import asyncio
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from phenesthe.lsp.separate_process import GivenUp, run_in_process
from tests.unit.test_imports import HEAVY, loaded_after

_PATIENCE = 60.0


def begin_and_sleep(file: Path) -> Callable[[], None]:
    """Says which process it is in, and goes on and on."""
    code = "import os, time; open(file, 'w').write(str(os.getpid())); time.sleep(600)"
    return partial(exec, code, {"file": str(file)})


async def read_process(file: Path) -> int:
    async with asyncio.timeout(_PATIENCE):
        while not (file.exists() and file.read_text(encoding="utf-8")):
            await asyncio.sleep(0.02)
    return int(file.read_text(encoding="utf-8"))


def is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def test_the_answer_comes_back() -> None:
    assert asyncio.run(run_in_process(partial(sorted, [2, 1]), _PATIENCE)) == [1, 2]


def test_what_is_printed_is_no_answer() -> None:
    assert asyncio.run(run_in_process(partial(print, "noise"), _PATIENCE)) is None


def test_it_is_stopped_when_it_takes_too_long(tmp_path: Path) -> None:
    async def run() -> int:
        with pytest.raises(GivenUp, match="stopped after 3 seconds"):
            await run_in_process(begin_and_sleep(tmp_path / "process"), 3)
        return await read_process(tmp_path / "process")

    assert not is_running(asyncio.run(run()))


def test_it_ends_with_the_server(tmp_path: Path) -> None:
    async def run() -> int:
        task = asyncio.create_task(run_in_process(begin_and_sleep(tmp_path / "process"), _PATIENCE))
        process = await read_process(tmp_path / "process")
        assert is_running(process)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return process

    assert not is_running(asyncio.run(run()))


@pytest.mark.parametrize("work", [partial(os._exit, 3), os.abort, partial(bytearray, 2**40)])
def test_it_may_break_off(work: Callable[[], Any]) -> None:
    with pytest.raises(GivenUp, match="memory"):
        asyncio.run(run_in_process(work, _PATIENCE))


def test_nothing_from_the_folder_around_is_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pickle.py").write_text("raise SystemExit", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert asyncio.run(run_in_process(partial(abs, -1), _PATIENCE)) == 1


def test_a_process_loads_only_what_its_work_needs() -> None:
    loaded = loaded_after("import phenesthe.lsp.separate_process")
    assert loaded.isdisjoint({*HEAVY, "pygls", "lsprotocol", "textx"})
