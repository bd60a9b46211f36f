"""`python -m tests.kills`: all scenes, or those with the words given, and what was found."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import get_args

from tests.kills.examine import Outcome, examine
from tests.kills.fork import load
from tests.kills.hook import Way
from tests.kills.scenes import list_scenes


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.kills", description=__doc__)
    parser.add_argument("words", nargs="*", help="the names of scenes, or words in them")
    parser.add_argument("--every", type=int, default=1, help="only each so many calls")
    parser.add_argument("--ways", nargs="+", choices=get_args(Way), default=get_args(Way))
    parser.add_argument("--share", type=int, nargs=2, metavar=("K", "N"), default=(0, 1))
    given = parser.parse_args()
    load()
    number, of = given.share
    scenes = [one for one in list_scenes() if all(word in one.name for word in given.words)]
    outcomes: list[Outcome] = []
    with TemporaryDirectory(prefix="kills-") as folder:
        for scene in scenes[number::of]:
            found = examine(scene, Path(folder).resolve() / "scene", given.ways, given.every)
            outcomes.append(found)
            lost = len({text.partition(":")[0] for text in found.problems})
            print(f"{found.scene:34} {found.calls:>4} calls {found.cuts:>5} cuts {lost:>5} lost",
                  flush=True)  # fmt: skip
            for text in found.problems[:6]:
                print(f"    {text}", flush=True)
    return report(outcomes)


def report(outcomes: Sequence[Outcome]) -> int:
    lost = {text.partition(":")[0] for one in outcomes for text in one.problems}
    cuts = sum(one.cuts for one in outcomes)
    print(f"{len(outcomes)} scenes, {cuts:,} times cut off, {len(lost):,} times something was lost")
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
