"""The working memory of a program: results kept up to date from query to query.

| module | holds |
|---|---|
| `working_memory` | `Memory.advance`: what became known in, what that changes out |
| `operations`, `inputs`, `late_rows` | inserts and retractions, what is seen of an input |
| `nodes`, `domains` | what remembers each operator; codes of values that come and go |
| `changes` | what a query changed, in words: new, revised, withdrawn |
| `remembered` | what is remembered, and why |
| `replay`, `session` | stored rows played query by query; the interface for Python |
| `deltas` | what a memory tells another one that uses its definitions |
| `dump`, `undump`, `pack`, `shape` | a memory as tables in a file, and back |
| `store`, `folder`, `waiting` | the folder of a state, and what its last run wrote |
| `header`, `repeat`, `resume` | what a state is of, who left it, how a run goes on |
| `carry`, `refill` | what goes on when the program has changed |
| `results` | whose results are whose then: by what a definition means |
"""

from phenesthe.memory.deltas import Delta
from phenesthe.memory.operations import Operations, Refused
from phenesthe.memory.working_memory import Advance, Memory, choose_slack

__all__ = ["Advance", "Delta", "Memory", "Operations", "Refused", "choose_slack"]
