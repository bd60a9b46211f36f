"""The instants a run is about, whichever engine it is run on."""


def find_timeline(
    first: int | None, last: int | None, until: int | None, start: int | None
) -> tuple[int, int]:
    """The first instant and the query time.

    `first` and `last` are those of the input; None where there is none. Without any there is no
    instant to ask about, unless a query time says so.
    """
    if until is None and last is None:
        return 1, 0
    q = until if until is not None else last
    assert q is not None
    if start is not None:
        return start, q
    # Without a first instant the timeline is empty.
    return (q + 1 if first is None else first), q
