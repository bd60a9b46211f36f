"""The dependency graph for Graphviz: one rank a level, inputs on top."""

from phenesthe.check.program import CheckedProgram, Signature
from phenesthe.explain.parts import shape
from phenesthe.plan.plan import Plan

_SHAPES = {"event": "ellipse", "state": "box", "dynamic": "parallelogram", None: "note"}


def as_dot(program: CheckedProgram, plan: Plan) -> str:
    lines = ["digraph phenesthe {", "  rankdir=TB;", '  node [fontname="sans-serif"];']
    given = (*program.inputs, *program.facts)
    defined = [definition.signature for definition in program.definitions]
    ranks: dict[int, list[str]] = {}
    for signature in (*given, *defined):
        lines.append(f"  {_node(signature)}")
        ranks.setdefault(signature.level, []).append(_quote(signature.name))
    lines.extend(
        f"  {{ rank=same; {'; '.join(ranks[level])}; }}  // level {level}"
        for level in sorted(ranks)
    )
    lines.extend(
        f"  {_quote(used)} -> {_quote(definition.signature.name)};"
        for definition in program.definitions
        for used in definition.uses
    )
    for stage in plan.stages:
        lines.append(f"  subgraph cluster_{stage.number} {{")
        kind = "one partition" if stage.is_global else "by key"
        lines.append(f'    label="stage {stage.number}, {kind}"; color=gray;')
        lines.append(f"    {'; '.join(_quote(name) for name in stage.definitions)};")
        lines.append("  }")
    return "\n".join([*lines, "}"]) + "\n"


def _node(signature: Signature) -> str:
    style = ', style="dashed"' if signature.level == 0 else ""
    label = f"{signature.kind or 'fact'}\\n{shape(signature)}"
    return f'{_quote(signature.name)} [shape={_SHAPES[signature.kind]}, label="{label}"{style}];'


def _quote(name: str) -> str:
    return f'"{name}"'
