"""The surface tree: immutable nodes, each with the span it was read from."""

from typing import TypeAlias

from phenesthe.syntax.tree.aggregates import Aggregate
from phenesthe.syntax.tree.base import Name, Node
from phenesthe.syntax.tree.counting import Counting
from phenesthe.syntax.tree.declarations import (
    After,
    Argument,
    Branch,
    Declaration,
    Defining,
    Definition,
    ExclusiveState,
    Fact,
    Head,
    Import,
    Input,
    Machine,
    Parameter,
    Report,
    Transition,
    TypeName,
    UnitDeclaration,
)  # fmt: skip
from phenesthe.syntax.tree.dynamics import Relation
from phenesthe.syntax.tree.events import (
    And,
    Atom,
    Comparison,
    End,
    In,
    Not,
    Or,
    Start,
)  # fmt: skip
from phenesthe.syntax.tree.filters import Assignment, Exists, Let, Where
from phenesthe.syntax.tree.states import (
    Calendar,
    Complement,
    Intersection,
    Lasting,
    MaximalRange,
    Repeat,
    Then,
    Union,
)  # fmt: skip
from phenesthe.syntax.tree.values import (
    Arithmetic,
    BoolLiteral,
    Call,
    Duration,
    DurationLiteral,
    FloatLiteral,
    IntLiteral,
    Literal_,
    Negate,
    ParameterRef,
    Previous,
    StrLiteral,
    Term,
    Value,
    Variable,
    Wildcard,
    Word,
)  # fmt: skip
from phenesthe.vocabulary import (
    INVERSES,
    ArithmeticOperator,
    ComparisonOperator,
    Function,
    Kind,
    Mode,
    RelationName,
    Unit,
)  # fmt: skip

Formula: TypeAlias = (
    Atom | Comparison | And | Or | Not | In | Start | End
    | Calendar | MaximalRange | Repeat | Union | Intersection | Complement | Lasting | Then
    | Counting
    | Relation | Where | Let | Exists
)  # fmt: skip

__all__ = [
    "INVERSES", "After", "Aggregate", "And", "Argument", "Arithmetic", "ArithmeticOperator",
    "Assignment", "Atom", "BoolLiteral", "Branch", "Calendar", "Call", "Comparison",
    "ComparisonOperator", "Complement", "Counting", "Declaration", "Defining", "Definition",
    "Duration", "DurationLiteral", "End", "ExclusiveState", "Exists", "Fact", "FloatLiteral",
    "Formula", "Function", "Head", "Import", "In", "Input", "IntLiteral", "Intersection",
    "Kind", "Lasting", "Let", "Literal_", "Machine", "MaximalRange", "Mode", "Name", "Negate",
    "Node", "Not", "Or", "Parameter", "ParameterRef", "Previous", "Relation", "RelationName",
    "Repeat", "Report", "Start", "StrLiteral", "Term", "Then", "Transition", "TypeName",
    "Union", "Unit", "UnitDeclaration", "Value", "Variable", "Where", "Wildcard", "Word",
]  # fmt: skip
