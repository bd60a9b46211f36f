"""What to write for `ais.speed`: the variable of that argument."""

from phenesthe.diagnostics.shorten import list_names, shorten
from phenesthe.syntax.declared import (
    find_body,
    find_declared,
    find_head_variables,
    find_mentions,
    find_variables,
    is_variable,
    name_column,
    write_mention,
)  # fmt: skip

_LONGEST = 60


def find_variable(owner: str, column: str, declaration: str, file: str) -> str | None:
    """The variable that stands for the argument, if only one can be meant."""
    found = {argument for _, argument in _find_arguments(owner, column, declaration, file)}
    return found.pop() if len(found) == 1 and all(map(is_variable, found)) else None


def suggest_variable(owner: str, column: str, declaration: str, file: str) -> str:
    written = f"{owner}.{column}"
    arguments = _find_arguments(owner, column, declaration, file)
    for mention, argument in arguments:
        if is_variable(argument):
            return f"write `{argument}` instead of `{written}`: it is the `{column}` of `{mention}`"
    declared = find_declared(file)
    variable = name_column(column, find_variables(declaration))
    for mention, argument in arguments:
        if argument == "_":
            name = mention.partition("(")[0]
            parts = mention.partition("(")[2].removesuffix(")").split(", ")
            parts[declared[name].index(column)] = variable
            renamed = shorten(f"{name}({', '.join(parts)})", _LONGEST)
            return (
                f"give this argument a variable, `{renamed}` instead of `{mention}`, and write "
                f"`{variable}` instead of `{written}`"
            )
    if column in declared.get(owner, ()):
        about = find_head_variables(declaration)
        mention = write_mention(owner, declared[owner], {column: variable}, about)
        return f"write `{mention} and …`, and `{variable}` instead of `{written}`"
    if owner in declared:
        return (
            f"`{owner}` has no argument `{column}`, only {list_names(declared[owner])}: write the "
            "variable of the one that is meant"
        )
    if owner[:1].islower():
        return (
            f"`{owner}(…)` has a variable for each of its arguments: write that of `{column}` "
            f"instead of `{written}`"
        )
    return f"write the variable that a phenomenon has for `{column}` instead of `{written}`"


def _find_arguments(owner: str, column: str, declaration: str, file: str) -> list[tuple[str, str]]:
    """Phenomena of the formula that have the column, and what stands for it there."""
    declared = find_declared(file)
    return [
        (str(mention), mention.arguments[declared[mention.name].index(column)])
        for mention in find_mentions(find_body(declaration))
        if column in declared.get(mention.name, ())
        and len(mention.arguments) == len(declared[mention.name])
        and (mention.name == owner or (owner not in declared and owner in mention.arguments))
    ]
