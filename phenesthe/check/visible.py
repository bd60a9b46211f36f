"""Which files' names each file of a program may use: its own, and of all it imports, however."""

from collections.abc import Mapping, Sequence
from pathlib import Path


def find_visible(imports: Mapping[Path, Sequence[Path]]) -> dict[Path, frozenset[Path]]:
    """By file. Files that import each other in a circle see the same, and share one set.

    Tarjan's algorithm, with an explicit path: a chain of imports may be longer than the stack.
    """
    visible: dict[Path, frozenset[Path]] = {}
    number: dict[Path, int] = {}
    #: The least number that is reached from a file, by way of files that are not placed yet.
    low: dict[Path, int] = {}
    waiting: list[Path] = []
    for root in imports:
        if root in number:
            continue
        number[root] = low[root] = len(number)
        waiting.append(root)
        path = [(root, iter(imports[root]))]
        while path:
            file, rest = path[-1]
            target = next(rest, None)
            if target is None:
                path.pop()
                if path:
                    low[path[-1][0]] = min(low[path[-1][0]], low[file])
                if low[file] == number[file]:
                    circle = [waiting.pop()]
                    while circle[-1] != file:
                        circle.append(waiting.pop())
                    below = {one for member in circle for one in imports[member]}
                    sets = {id(visible[one]): visible[one] for one in below if one in visible}
                    seen = frozenset(circle).union(*sets.values())
                    visible.update(dict.fromkeys(circle, seen))
            elif target not in imports or target in visible:
                continue
            elif target in number:
                low[file] = min(low[file], number[target])
            else:
                number[target] = low[target] = len(number)
                waiting.append(target)
                path.append((target, iter(imports[target])))
    return visible
