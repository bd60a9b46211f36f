"""A definition again, but for one word: two formulas that differ in little must not be one.

What is written twice is computed once. So a program gets twins of its definitions, of which
another moment, number, sign or word is asked.
"""

import re
from random import Random

from phenesthe.vocabulary import COMPARISONS, INVERSES, RELATIONS

#: Words of which one may stand where another does.
_GROUPS = (
    tuple(COMPARISONS),
    ("union", "intersection"),
    ("complement", "without"),
    ("expires", "limit"),
    ("start", "end"),
    ("start_time", "end_time"),
    ("floor", "round", "abs"),
    ("min", "max"),
    ("lower", "upper"),
    ("starts_with", "ends_with", "includes"),
    ("sum", "avg"),
    ("first", "last"),
    ("over", "past"),
    ("north", "south"),
    ("source", "target", "complement", "inverse_complement"),
    (*RELATIONS, *INVERSES),
)
_OTHERS = {word: group for group in reversed(_GROUPS) for word in group}
_DEFINITION = re.compile(r"^(?P<kind>event|state|dynamic) (?P<name>\w+)\((?P<rest>.*;)$", re.M)
_CLOCK = re.compile(r'"\d\d:\d\d"')
_TOKEN = re.compile(
    r'(?P<clock>"\d\d:\d\d")|(?P<number>(?<![\w.])\d+(?![\w.]))'
    r"|(?P<sign>(?<![-~<>=!])(?:<=|>=|==|!=|<|>)(?!=))|(?P<word>\b[a-z_]+\b)"
)


def add_twin(definitions: str, number: int, random: Random) -> str:
    """One more definition at the end, if there is one to change."""
    found = list(_DEFINITION.finditer(definitions))
    if not found:
        return definitions
    with_clocks = [one for one in found if _CLOCK.search(one[0])]
    chosen = random.choice(with_clocks if with_clocks and random.random() < 0.7 else found)
    body = chosen["rest"]
    tokens = [one for one in _TOKEN.finditer(body) if one["word"] is None or one[0] in _OTHERS]
    if not tokens:
        return definitions
    # Moments are few, and numbers many.
    token = random.choice([one for one in tokens if one["clock"]] or tokens)
    body = body[: token.start()] + _change(token, random) + body[token.end() :]
    kind = chosen["kind"]
    return f"{definitions}{kind} {kind}_{number}({body}\n"


def _change(token: "re.Match[str]", random: Random) -> str:
    if token["clock"]:
        hour = (int(token[0][1:3]) + random.choice((1, 6, 12))) % 24
        return f'"{hour:02}:{token[0][4:6]}"'
    if token["number"]:
        return str(int(token[0]) + 1)
    return random.choice([one for one in _OTHERS[token[0]] if one != token[0]])
