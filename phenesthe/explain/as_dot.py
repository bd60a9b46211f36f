"""The operators for Graphviz: inputs on top, what is computed of them below.

An operator is drawn in the definition in which it is written first, and a definition in its stage.
"""

from collections.abc import Iterator

from phenesthe.check.program import CheckedProgram, Signature
from phenesthe.explain.operators import name_operator
from phenesthe.explain.parts import shape
from phenesthe.graph.every import AnyOperator
from phenesthe.plan.plan import Plan
from phenesthe.plan.stages import Stage
from phenesthe.vocabulary import Kind

_SHAPES: dict[Kind | None, str] = {
    "event": "ellipse", "state": "box", "dynamic": "parallelogram", None: "note",
}  # fmt: skip


def as_dot(program: CheckedProgram, plan: Plan) -> str:
    lines = ["digraph phenesthe {", "  rankdir=TB;", '  node [fontname="sans-serif"];']
    given = (*program.inputs, *program.facts)
    lines += [f"  {_draw_signature(one, 'dashed')}" for one in given]
    lines.append(f"  {{ rank=same; {''.join(f'{_quote(one.name)}; ' for one in given)}}}")
    for stage in plan.stages:
        lines += _draw_stage(program, plan, stage)
    return "\n".join([*lines, *_draw_edges(program, plan), "}"]) + "\n"


def _draw_stage(program: CheckedProgram, plan: Plan, stage: Stage) -> Iterator[str]:
    kind = "one partition" if stage.is_global else "by key"
    yield f"  subgraph cluster_{stage.number} {{"
    yield f'    label="stage {stage.number}, {kind}"; color=gray;'
    signatures = program.defined
    for at, name in enumerate(stage.definitions, 1):
        yield f"    subgraph cluster_{stage.number}_{at} {{"
        yield f"      label={_quote(name)}; color=lightgray;"
        for operator in plan.graph.operators.values():
            if operator.origin.definition == name:
                yield f"      {_draw_operator(operator)}"
        yield f"      {_draw_signature(signatures[name], 'bold')}"
        yield "    }"
    yield "  }"


def _draw_edges(program: CheckedProgram, plan: Plan) -> Iterator[str]:
    names = {source.id: name for name, source in plan.graph.sources.items()}
    for id_, operator in plan.graph.operators.items():
        for at, operand in enumerate(operator.operands, 1):
            # Which is the first of two matters to most operators.
            label = f' [label="{at}"]' if len(operator.operands) > 1 else ""
            producer = names.get(operand.producer, operand.producer)
            yield f"  {_quote(producer)} -> {_quote(id_)}{label};"
    facts = {one.name for one in program.facts}
    for definition in program.definitions:
        name = definition.signature.name
        id_ = plan.graph.phenomena[name].id
        yield f"  {_quote(names.get(id_, id_))} -> {_quote(name)};"
        # Facts are looked up, and no operand of anything.
        for used in definition.uses:
            if used in facts:
                yield f"  {_quote(used)} -> {_quote(name)} [style=dashed];"


def _draw_operator(operator: AnyOperator) -> str:
    label = _quote(name_operator(operator), operator.origin.text)
    return f"{_quote(operator.id)} [shape={_SHAPES[operator.kind]}, label={label}];"


def _draw_signature(signature: Signature, style: str) -> str:
    label = _quote(signature.kind or "fact", shape(signature))
    drawn = f'shape={_SHAPES[signature.kind]}, label={label}, style="{style}"'
    return f"{_quote(signature.name)} [{drawn}];"


def _quote(*lines: str) -> str:
    r"""A text in quotes. Graphviz reads `\N` and the like in labels."""
    texts = [line.replace("\\", "\\\\").replace('"', '\\"') for line in lines]
    return '"' + "\\n".join(texts) + '"'
