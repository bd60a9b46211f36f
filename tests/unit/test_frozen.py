"""The decorator of `phenesthe.frozen` gives what that of the standard library gives."""

import dataclasses
import pickle
import subprocess
import sys
from copy import deepcopy
from dataclasses import FrozenInstanceError, field
from itertools import product
from typing import Any

import pytest

from phenesthe import frozen
from phenesthe.syntax import tree
from tests.strategies.corpus import PROJECT


class Ours:
    @frozen.dataclass(frozen=True, slots=True)
    class Empty:
        pass

    @frozen.dataclass(frozen=True, slots=True)
    class One:
        """Of one part, which is no tuple of one part."""

        part: object

    @frozen.dataclass(frozen=True, slots=True, kw_only=True)
    class Several:
        place: int = field(compare=False, repr=False)
        name: str
        told: str | None = field(default=None, compare=False)
        parts: tuple[object, ...] = field(default_factory=tuple)

    @frozen.dataclass(frozen=True, kw_only=True, eq=False)
    class Same:
        part: object


class Theirs:
    @dataclasses.dataclass(frozen=True, slots=True)
    class Empty:
        pass

    @dataclasses.dataclass(frozen=True, slots=True)
    class One:
        """Of one part, which is no tuple of one part."""

        part: object

    @dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
    class Several:
        place: int = field(compare=False, repr=False)
        name: str
        told: str | None = field(default=None, compare=False)
        parts: tuple[object, ...] = field(default_factory=tuple)

    @dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
    class Same:
        part: object


_NAN = float("nan")


def _make(room: Any) -> list[Any]:
    ones = [room.One(value) for value in (1, 1.0, "1", (1,), _NAN, room.One(1))]
    several = [
        room.Several(place=place, name=name, told=told, parts=parts)
        for place, name, told, parts in product((1, 2), "ab", (None, "t"), ((), (1,)))
    ]
    return [room.Empty(), room.Empty(), *ones, *several, room.Several(place=3, name="a")]


def test_what_is_equal_is_equal() -> None:
    ours, theirs = _make(Ours), _make(Theirs)
    for (a, x), (b, y) in product(zip(ours, theirs, strict=True), repeat=2):
        assert (a == b) == (x == y), (a, b)
        assert x != y or hash(a) == hash(b), (a, b)
    assert ours[0] != theirs[0]


def test_what_is_told_apart_by_itself_stays_so() -> None:
    one, other = Ours.Same(part=1), Ours.Same(part=1)
    assert one != other
    assert len({one, other, one}) == 2


def test_it_is_shown_alike() -> None:
    for ours, theirs in zip(_make(Ours), _make(Theirs), strict=True):
        assert repr(ours) == repr(theirs).replace("Theirs.", "Ours.")


@pytest.mark.parametrize("name", ["Empty", "One", "Several", "Same"])
def test_its_parts_are_known_alike(name: str) -> None:
    ours, theirs = getattr(Ours, name), getattr(Theirs, name)
    assert [(one.name, one.compare) for one in dataclasses.fields(ours)] == [
        (one.name, one.compare) for one in dataclasses.fields(theirs)
    ]
    assert ours.__match_args__ == theirs.__match_args__
    assert hasattr(ours, "__slots__") == hasattr(theirs, "__slots__")


def test_it_is_copied_replaced_and_sent() -> None:
    made = Ours.Several(place=1, name="a", parts=(Ours.One(2),))
    for copy in (pickle.loads(pickle.dumps(made)), deepcopy(made)):
        assert copy == made
        assert copy.place == 1
    assert dataclasses.replace(made, name="b") == Ours.Several(place=1, name="b", parts=made.parts)


def test_the_type_checker_forbids_a_change() -> None:
    """A comment below that is not needed is an error of the type checker."""
    node = tree.Variable(span=None, name="V")  # type: ignore[arg-type]  # places play no part
    node.name = "W"  # type: ignore[misc]  # it may not be changed
    assert node.name == "W"


def test_who_inherits_from_such_a_class_is_one() -> None:
    """Otherwise its module cannot be loaded, and some are loaded only on a cluster."""
    files = sorted((PROJECT / "phenesthe").rglob("*.py"))
    names = [".".join(one.relative_to(PROJECT).with_suffix("").parts) for one in files]
    lines = [f"import {name}" for name in names if not name.endswith("__")]
    command = [sys.executable, "-c", "\n".join(lines)]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_what_users_get_cannot_be_changed() -> None:
    import phenesthe

    program = phenesthe.compile(text="input event e();\nevent f() : e();\n")
    with pytest.raises(FrozenInstanceError):
        program.diagnostics = ()  # type: ignore[misc]  # it may not be changed
