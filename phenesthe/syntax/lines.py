"""Fill lines: blocks of words that stay on one line when they fit and break when they do not."""

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from phenesthe.frozen import dataclass
from phenesthe.syntax.tokens import TokenKind

WIDTH = 100


class Remark(NamedTuple):
    """A comment between two words. `own_line`: nothing stood before it on its line."""

    text: str
    own_line: bool

    @property
    def ends_line(self) -> bool:
        return self.text.startswith("//") or "\n" in self.text


@dataclass(frozen=True, slots=True)
class Piece:
    """A word in its ASCII spelling and as it is shown, with the comments that stick to it."""

    kind: TokenKind
    text: str
    shown: str
    is_prefix: bool
    before: tuple[Remark, ...]
    after: tuple[Remark, ...]
    #: What stands in parentheses behind it are no arguments.
    is_parted: bool = False

    @property
    def leads(self) -> bool:
        return bool(self.before)

    @property
    def trails(self) -> bool:
        return any(remark.ends_line for remark in self.after)

    @property
    def must_break(self) -> bool:
        return False


@dataclass(frozen=True, slots=True)
class Gap:
    """What stands between two words: `flat`, or a line end if its group is broken at all."""

    flat: str
    can_break: bool
    leads: bool = False
    trails: bool = False
    must_break: bool = False


@dataclass(frozen=True, slots=True)
class Block:
    """Parts in a row. The gaps of a `group` all end their lines, or none does.

    `leads` and `trails`: it begins with a comment on a line of its own, ends with one that needs
    the rest of its line. `must_break`: such a comment stands further inside, so that the block
    cannot be written on one line.
    """

    parts: "tuple[Document, ...]"
    indent: int
    group: bool
    leads: bool
    trails: bool
    must_break: bool


Document: TypeAlias = Piece | Gap | Block

SPACE = Gap(" ", can_break=False)
BREAK = Gap(" ", can_break=True)


def block(parts: Sequence[Document], *, indent: int = 0, group: bool = False) -> Block:
    """Parts in a row, their line ends `indent` columns deeper than those around them."""
    return Block(
        parts=tuple(parts),
        indent=indent,
        group=group,
        leads=bool(parts) and parts[0].leads,
        trails=bool(parts) and parts[-1].trails,
        must_break=any(part.must_break for part in parts)
        or any(part.leads for part in parts[1:])
        or any(part.trails for part in parts[:-1]),
    )


def fill_lines(document: Document) -> str:
    """The text of a document, its outermost breaks taken, without a last line end."""
    return _Writer().write(document)


class _Task(NamedTuple):
    indent: int
    flat: bool
    document: Document


class _Writer:
    """Oppen's way: walk the document, and at each group look ahead whether it fits."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.current = ""
        self.line_must_end = False

    def write(self, document: Document) -> str:
        tasks = [_Task(0, False, document)]
        while tasks:
            task = tasks.pop()
            match task.document:
                case Piece() as piece:
                    self._write_piece(piece, task.indent)
                case Gap() as gap:
                    if gap.can_break and not task.flat:
                        self._end_line(task.indent)
                    elif not self.line_must_end:
                        self.current += gap.flat
                case Block() as inner:
                    flat = task.flat
                    if inner.group and not flat:
                        flat = not inner.must_break and self._fits(task, tasks)
                    indent = task.indent + inner.indent
                    tasks.extend(_Task(indent, flat, part) for part in reversed(inner.parts))
        self._end_line(0)
        return "\n".join(self.lines)

    def _write_piece(self, piece: Piece, indent: int) -> None:
        if self.line_must_end or (piece.before and not self._is_blank()):
            self._end_line(indent)
        margin = len(self.current) if piece.before else 0
        for remark in piece.before:
            self.current += remark.text
            self._end_line(margin)
        self.current += piece.shown
        for remark in piece.after:
            self.current += _space_before(remark) + remark.text
            self.line_must_end = remark.ends_line

    def _end_line(self, indent: int) -> None:
        if not self._is_blank():
            self.lines.append(self.current.rstrip())
        self.current = " " * indent
        self.line_must_end = False

    def _is_blank(self) -> bool:
        return not self.current or self.current.isspace()

    def _fits(self, task: _Task, rest: list[_Task]) -> bool:
        """Whether the block, on one line, and what follows up to a possible break fit the line."""
        room = WIDTH - (task.indent if self.line_must_end else len(self.current))
        tasks = [_Task(task.indent, True, task.document)]
        following = len(rest)
        while room >= 0:
            if not tasks:
                if not following:
                    return True
                following -= 1
                tasks.append(rest[following])
            indent, flat, document = tasks.pop()
            match document:
                case Piece() as piece:
                    if piece.before:
                        if not flat:
                            return True
                        room = WIDTH - indent
                    room -= len(piece.shown)
                    for remark in piece.after:
                        if remark.ends_line:
                            return room >= 0
                        room -= len(remark.text) + 1
                case Gap(text, can_break):
                    if can_break and not flat:
                        return True
                    room -= len(text)
                case Block() as inner:
                    indent += inner.indent
                    tasks.extend(_Task(indent, flat, part) for part in reversed(inner.parts))
        return False


def _space_before(remark: Remark) -> str:
    return "  " if remark.text.startswith("//") else " "
