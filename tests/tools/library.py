"""The pages of the definition library: made from the modules, their tests and the engine."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import phenesthe
from phenesthe.check.program import Checked, CheckedProgram, Signature
from phenesthe.explain.memory_bounds import list_bounds
from phenesthe.explain.parts import shape
from phenesthe.plan.lower import lower
from phenesthe.plan.memory_bounds import MemoryBounds, find_memory_bounds
from phenesthe.resources import LIBRARY
from phenesthe.syntax.parser import Parsed, parse_bytes
from phenesthe.syntax.tree import (
    Declaration,
    Definition,
    ExclusiveState,
    Fact,
    Import,
    Input,
    Parameter,
)
from tests.tools.library_drawings import draw_example
from tests.tools.markdown import fence, join


@dataclass(frozen=True, slots=True)
class _Module:
    """A file of the library, as it is written and as it is understood."""

    path: Path
    parsed: Parsed
    program: CheckedProgram
    memory: MemoryBounds

    @property
    def name(self) -> str:
        return ".".join(self.path.relative_to(LIBRARY).with_suffix("").parts)

    @property
    def page(self) -> str:
        return f"library/{self.name}.md"

    def find(self, name: str) -> Checked:
        return next(one for one in self.program.definitions if one.signature.name == name)


def build_library() -> dict[str, str]:
    """All pages of the library by their paths below `docs`."""
    modules = [_read(path) for path in sorted(LIBRARY.rglob("*.phe"))]
    # What others build on comes first.
    modules.sort(key=lambda module: len(module.program.definitions))
    homes = {name: module for module in modules for name in _list_names(module)}
    pages = {module.page: join(_module_lines(module, homes)) for module in modules}
    pages["library/index.md"] = join(_index_lines(modules))
    return pages


def _read(path: Path) -> _Module:
    program = phenesthe.compile(path).checked
    memory = find_memory_bounds(lower(program))
    return _Module(path, parse_bytes(path.name, path.read_bytes()), program, memory)


def _list_names(module: _Module) -> Iterator[str]:
    for declaration in module.parsed.declarations:
        match declaration:
            case Parameter(name=name) | Input(name=name) | Fact(name=name):
                yield name.text
            case Definition(head=head) | ExclusiveState(head=head):
                yield head.name.text


def _index_lines(modules: list[_Module]) -> Iterator[str]:
    yield "# The definition library"
    yield ""
    yield (
        "What the [modules of the library](../../stdlib/README.md) define, made from their source: "
        "each definition with its text, its source, an example drawn from one of its tests, and "
        "what it remembers on a stream. Times in the drawings are seconds."
    )
    for module in modules:
        yield ""
        yield f"## [{module.name}]({module.name}.md)"
        yield ""
        yield _introduction(module)
        if defined := [d for d in module.parsed.declarations if _is_definition(d)]:
            yield ""
            yield "| name | kind | what it says |"
            yield "|---|---|---|"
            for declaration in defined:
                signature = module.find(_name_of(declaration)).signature
                link = f"[`{_call(signature)}`]({module.name}.md#{signature.name})"
                yield f"| {link} | {signature.kind} | {_first_sentence(signature.doc)} |"


def _module_lines(module: _Module, homes: dict[str, _Module]) -> Iterator[str]:
    yield f"# {module.name}"
    yield ""
    yield _introduction(module)
    if imports := [d for d in module.parsed.declarations if isinstance(d, Import)]:
        named = (".".join(one.module) for one in imports)
        yield ""
        yield "Imports " + ", ".join(f"[{name}]({name}.md)" for name in named) + "."
    if parameters := [d for d in module.parsed.declarations if isinstance(d, Parameter)]:
        yield ""
        yield "| parameter | type | default | meaning |"
        yield "|---|---|---|---|"
        for one in parameters:
            name = one.name.text
            default = one.default.span.text
            yield f'| <a id="{name}"></a>`{name}` | {one.type} | {default} | {_one_line(one.doc)} |'
    for declaration in module.parsed.declarations:
        if isinstance(declaration, Input | Fact):
            yield from _input_lines(declaration)
        elif _is_definition(declaration):
            yield from _definition_lines(module, declaration, homes)
    yield ""
    yield "[The whole library](index.md)"


def _input_lines(declaration: Input | Fact) -> Iterator[str]:
    yield ""
    yield f"## {declaration.name.text}"
    yield ""
    kind = "Fact" if isinstance(declaration, Fact) else f"Input {declaration.kind}"
    yield f"*{kind}.* {_one_line(declaration.doc)}"
    yield ""
    yield fence(declaration.span.text, "phe")


def _definition_lines(
    module: _Module, declaration: Declaration, homes: dict[str, _Module]
) -> Iterator[str]:
    checked = module.find(_name_of(declaration))
    signature = checked.signature
    yield ""
    yield f"## {signature.name}"
    yield ""
    kind = "Exclusive state" if isinstance(declaration, ExclusiveState) else str(signature.kind)
    yield f"*{kind.capitalize()}* `{shape(signature)}`. {_one_line(signature.doc)}"
    yield ""
    yield fence(declaration.span.text, "phe")
    yield ""
    links = (_link(name, module, homes) for name in checked.uses)
    yield "Uses " + ", ".join(links) + "."
    if parameters := _list_parameters(module, declaration):
        yield "Parameters: " + ", ".join(_link(name, module, homes) for name in parameters) + "."
    title, drawing = draw_example(module.path, module.program, signature.name)
    yield ""
    yield f"For example, *{title}*:"
    yield ""
    yield fence(drawing, "text")
    yield ""
    remembered = list(list_bounds(checked, module.memory.by_definition().get(signature.name, ())))
    if remembered:
        yield "On a stream it"
        yield ""
        yield fence("\n".join(line.removeprefix("    ") for line in remembered), "text")
    else:
        yield "On a stream it remembers nothing from before the window."


def _list_parameters(module: _Module, declaration: Declaration) -> list[str]:
    """A bare word is the parameter of that name wherever there is one, durations included."""
    known = {parameter.name for parameter in module.program.parameters}
    words = re.findall(r"\w+", declaration.span.text)
    return [word for word in dict.fromkeys(words) if word in known]


def _link(name: str, here: _Module, homes: dict[str, _Module]) -> str:
    home = homes[name]
    page = "" if home is here else f"{home.name}.md"
    return f"[`{name}`]({page}#{name})"


def _introduction(module: _Module) -> str:
    """The comment at the top of the file."""
    lines = []
    for line in module.parsed.source.text.splitlines():
        if not line.startswith("//"):
            break
        lines.append(line.removeprefix("//").strip())
    return "\n".join(lines)


def _is_definition(declaration: Declaration) -> bool:
    return isinstance(declaration, Definition | ExclusiveState)


def _name_of(declaration: Declaration) -> str:
    assert isinstance(declaration, Definition | ExclusiveState)
    return declaration.head.name.text


def _call(signature: Signature) -> str:
    return f"{signature.name}({', '.join(signature.arguments)})"


def _one_line(text: str | None) -> str:
    return " ".join((text or "").split())


def _first_sentence(text: str | None) -> str:
    return _one_line(text).split(". ")[0].rstrip(".") + "."
