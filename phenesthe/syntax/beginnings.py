"""What to say when a declaration begins with a word that begins none."""

import re

from phenesthe.diagnostics.model import Diagnostic, Edit
from phenesthe.diagnostics.report import error
from phenesthe.diagnostics.shorten import shorten
from phenesthe.diagnostics.suggest import closest
from phenesthe.syntax.foreign_names import find_foreign
from phenesthe.syntax.functions import suggest_definition
from phenesthe.syntax.own_names import suggest_instead
from phenesthe.syntax.scan import Chunk
from phenesthe.syntax.source import Source, Span
from phenesthe.syntax.spelling import TYPE_NAMES, guess_type, lower_name, variable_name
from phenesthe.syntax.tokens import BEGINNING, RELATIONS

_DEFINITION = "`event my_name(…) : … and …;`"
_QUERY = ("a query is written as a definition, which has a name", f"write {_DEFINITION}")
_TABLE = (
    "the tables that a program reads are its inputs",
    "write `input event my_name(argument: int, …);`",
)
_FUNCTION = (
    "a definition is a kind, a name with variables, and a formula",
    f"write {_DEFINITION}",
)
_CONTROL = (
    "a definition is about all values of its variables, and holds where its formula is true",
    f"leave it out, and write what must be true, joined with `and`: {_DEFINITION}",
)
_PATTERN = (
    "a pattern is a formula",
    "one thing after another is `dynamic my_name(V) : a(V) before b(V);`, something again and "
    "again `state my_name(V) : repeat a(V) while gap <= 10m;`, without counting how often",
)
_IMPORT = (
    "other files are read with `import`",
    "write `import …;`, for example `import maritime.core;`",
)
#: Words that begin something in other languages: what there is instead, and the remedy.
_BEGINNINGS: dict[str, tuple[str, str]] = {
    word: said
    for words, said in (
        ("select with from where insert update delete", _QUERY),
        ("create table view stream schema struct type", _TABLE),
        ("def function func fn lambda class rule define proc procedure query return", _FUNCTION),
        ("if when for foreach while every on case switch loop print", _CONTROL),
        ("pattern match_recognize match sequence seq", _PATTERN),
        ("include using use require load module package namespace", _IMPORT),
    )
    for word in words.split()
}
#: What the kinds of declarations are called elsewhere.
_OTHER_WORDS = {
    "parameter": "param", "params": "param", "const": "param", "constant": "param",
    "fluent": "state", "interval": "state", "signal": "event", "inputs": "input",
    "automaton": "machine", "fsm": "machine", "statemachine": "machine", "state_machine": "machine",
    "facts": "fact", "events": "event", "states": "state", "units": "unit",
    "output": "report", "outputs": "report", "reports": "report", "export": "report",
}  # fmt: skip
_ASSIGNED = re.compile(
    r"(?:(?:const|constant|let|var|val|set|final|static|parameter|define)\s+)?"
    r"(?:(?P<before>[a-z]+)\s+)?(?P<name>[A-Za-z]\w*)\s*(?::\s*(?P<after>\w+)\s*)?:?=\s*"
    r"(?P<value>-?\d[\w.]*|\"[^\"]*\"|'[^']*'|true|false|True|False)\s*;?"
)
_TABLE_COLUMNS = re.compile(
    r"CREATE\s+(?:TABLE|STREAM)\s+(?P<name>\w+)\s*\((?P<columns>[^()]*)\)\s*;?$",
    re.IGNORECASE,
)
_DEFINED = re.compile(
    r"\b(?P<kind>event|state|dynamic)\s+(?P<name>[A-Za-z]\w*)\s*\((?P<variables>[\w\s,]*)\)"
)
_FROM = re.compile(r"\bFROM\s+(?P<table>[A-Za-z]\w*)", re.IGNORECASE)
_COUNTED = re.compile(r"\b(?:COUNT|SUM|AVG|MIN|MAX)\s*\(", re.IGNORECASE)
_STATES = re.compile(r"~>|⤳|\b(?:lasting|union|intersection|complement|then|as|repeat)\b|⊔|⊓")
_DYNAMICS = re.compile(rf"\b(?:{'|'.join(RELATIONS)})\b")
_FROM_IMPORT = re.compile(r"from\s+(?P<module>\w[\w.]*)\s+import\s+(?P<names>[\w\s,*]+?)\s*;?")
MACHINE = (
    "machine door(D, How) initially shut { shut -> open : opened(D); open -> shut : after 1m; }"
)
_CALLED = re.compile(r"[a-z]\w*\s*\([^()]*\)\s*:")


def explain_start(source: Source, chunk: Chunk) -> Diagnostic:
    text = chunk.text
    word = re.match(r"\w*", text)
    keyword = word[0] if word else ""
    span = Span(source, chunk.start, min(chunk.start + (len(keyword) or 1), chunk.end))
    if text == ";":
        return _cannot_begin(span, ";", "remove it", "")
    meant = keyword.lower()
    imported = _FROM_IMPORT.fullmatch(text)
    if imported is not None:
        return _explain_import(source, chunk, span, imported)
    if meant != keyword and meant in BEGINNING:
        return _cannot_begin(span, keyword, f"write `{meant}`, in lower case", meant)
    assigned = _ASSIGNED.fullmatch(text)
    if assigned is not None and meant not in _OTHER_WORDS:
        return _explain_assignment(source, chunk, assigned)
    foreign = find_foreign(keyword) if re.match(r"\w+\s*\(", text) else None
    if foreign is not None:
        return _foreign_start(
            span, keyword, foreign.lacks, suggest_instead(foreign, keyword, text, source.text)
        )
    table = _TABLE_COLUMNS.match(text)
    if table is not None:
        return _explain_table(span, table)
    if meant in _BEGINNINGS:
        what, remedy = _BEGINNINGS[meant]
        return _foreign_start(span, keyword, what, _own_words(text, what, source.text) or remedy)
    if re.match(r"\w+\s*\(", text):
        return _missing_kind(source, chunk, keyword, span)
    suggestion = _OTHER_WORDS.get(meant)
    if suggestion is None and keyword not in BEGINNING:
        suggestion = closest(meant, BEGINNING)
    if keyword == "machine":
        return _cannot_begin(span, keyword, f"the shape is `{MACHINE}`", None)
    if suggestion is not None:
        return _cannot_begin(span, keyword, f"did you mean `{suggestion}`?", suggestion)
    hint = "write `event`, `state` or `dynamic` before a definition, `input` before an input"
    if text.startswith(('"', "'")):
        hint = "comments begin with `//`; a comment that begins with `///` documents a definition"
    return _cannot_begin(span, keyword or text[:1], hint, None)


def _explain_import(source: Source, chunk: Chunk, span: Span, found: "re.Match[str]") -> Diagnostic:
    """Python's; what is imported there may be a module of ours, or a name in one."""
    module, names = found["module"], [name.strip() for name in found["names"].split(",")]
    modules = (
        [module]
        if "." in module or "*" in names
        else [f"{module}.{name}" for name in dict.fromkeys(names) if name]
    )
    written = " ".join(f"import {one};" for one in modules)
    return error(
        "S022",
        "modules are imported as a whole, by `import`",
        span,
        label="not how a declaration begins",
        hint=f"write `{shorten(written)}`",
        fix=(Edit(span=Span(source, chunk.start, chunk.end), text=written),),
    )


def _cannot_begin(span: Span, word: str, hint: str, write: str | None) -> Diagnostic:
    return error(
        "S007",
        f"a declaration cannot begin with `{word}`",
        span,
        label="one of " + ", ".join(f"`{word}`" for word in BEGINNING) + " is expected",
        hint=hint,
        fix=(Edit(span=span, text=write),) if write is not None else None,
    )


def _foreign_start(span: Span, word: str, instead: str, remedy: str) -> Diagnostic:
    return error(
        "S022",
        f"`{word}` is not part of the language: {instead}",
        span,
        label="not how a declaration begins",
        hint=remedy,
    )


def _own_words(text: str, what: str, file: str) -> str:
    """The remedy in the names that the program uses itself."""
    if what == _FUNCTION[0] and (remedy := suggest_definition(text, file)) is not None:
        return remedy
    if what == _CONTROL[0] and (head := _DEFINED.search(text)) is not None:
        variables = ", ".join(map(variable_name, re.findall(r"\w+", head["variables"])))
        written = f"{head['kind']} {shorten(lower_name(head['name']), 40)}({variables})"
        return f"leave it out: `{written} : …;`, with all that must be true joined with `and`"
    if what == _QUERY[0] and (table := _FROM.search(text)) is not None:
        name = shorten(lower_name(table["table"]), 40)
        remedy = (
            f"choose a name and write `event my_name(…) : {name}(…) and …;`, with a variable for "
            f"each argument of `{name}`"
        )
        if _COUNTED.search(text):
            remedy += "; over several rows compute with `count(…)`, `sum(X of …)` and the like"
        return remedy
    return ""


def _explain_table(span: Span, found: "re.Match[str]") -> Diagnostic:
    """A table of SQL with its columns; which of them holds the times is not known."""
    what, hint = _TABLE
    columns = [column.split() for column in found["columns"].split(",")]
    if all(len(column) > 1 for column in columns):
        known = [f"{name.lower()}: {TYPE_NAMES.get(k.lower(), 'str')}" for name, k, *_ in columns]
        written = f"input event {lower_name(found['name'])}({', '.join(known)});"
        hint = f"write `{shorten(written)}`, without a column of times: every event has a time"
    return _foreign_start(span, span.text, what, hint)


def _explain_assignment(source: Source, chunk: Chunk, found: "re.Match[str]") -> Diagnostic:
    value = found["value"]
    value = value.lower() if value in ("True", "False") else value
    value = f'"{value[1:-1]}"' if value.startswith("'") else value
    kind = TYPE_NAMES.get((found["after"] or found["before"] or "").lower()) or guess_type(value)
    name = lower_name(found["name"])
    written = f"param {name}: {kind} = {value};"
    span = Span(source, chunk.start, chunk.end)
    return error(
        "S022",
        f"`{shorten(name, 40)}` is a constant: it is declared as a parameter, with its type",
        span,
        label="not a declaration",
        hint=f"write `{written}`",
        fix=(Edit(span=span, text=written),),
    )


def _missing_kind(source: Source, chunk: Chunk, name: str, span: Span) -> Diagnostic:
    """A head without its kind. What the formula is made of usually tells the kind."""
    body = chunk.text.partition(":")[2]
    # Of several definitions that are read as one, the first.
    body = re.split(r"\.\s|;", body, maxsplit=1)[0]
    kind = "dynamic" if _DYNAMICS.search(body) else "event"
    kind = "state" if _STATES.search(body) else kind
    begin = Span(source, chunk.start, chunk.start)
    called = _CALLED.match(chunk.text) if name[:1].islower() else None
    head = shorten(called[0][:-1].strip() if called else f"{name}(…)", 60)
    return error(
        "S007",
        f"the kind of `{name}` is missing: a definition begins with `event`, `state` or `dynamic`",
        span,
        label="a kind is expected before this",
        hint=f"write `{kind} {head} : …;` for a definition, "
        f"`input event {shorten(name, 40)}(…);` for an input",
        fix=(Edit(span=begin, text=f"{kind} "),) if called else None,
    )
