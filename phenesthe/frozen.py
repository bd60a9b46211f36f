"""`@dataclass(frozen=True)` for what every start makes: made in a fourth of the time.

The standard library writes and compiles six methods for each class, which was nearly half of what
a check of a small file takes. Here only `__init__` is made so; the others are common to all.
That nothing is ever changed is for the type checker to say, to which this is the same decorator.
A class that inherits from such a class is made so too.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:
    import dataclasses
    from operator import attrgetter

    def dataclass(*, frozen, slots=False, kw_only=False, eq=True):
        assert frozen, "what may change is made with the standard library's"

        def make(written):
            # Without a text, one would be made of the signature, which takes as long as the rest.
            written.__doc__ = written.__doc__ or written.__name__
            made = dataclasses.dataclass(repr=False, eq=False, slots=slots, kw_only=kw_only)(
                written
            )
            made.__repr__ = _show
            if eq:
                made.__eq__, made.__hash__ = _compare(made)
            return made

        return make

    def _show(self):
        shown = [one.name for one in dataclasses.fields(self) if one.repr]
        parts = ", ".join([f"{name}={getattr(self, name)!r}" for name in shown])
        return f"{type(self).__qualname__}({parts})"

    def _compare(kind):
        names = [one.name for one in dataclasses.fields(kind) if one.compare]
        # Of one name there would be its value, not a tuple.
        pick = attrgetter(*names) if len(names) > 1 else _pick_few(names)

        def is_equal(self, other):
            if other.__class__ is not self.__class__:
                return NotImplemented
            return pick(self) == pick(other)

        def find_hash(self):
            return hash(pick(self))

        return is_equal, find_hash

    def _pick_few(names):
        return lambda self: tuple([getattr(self, name) for name in names])
