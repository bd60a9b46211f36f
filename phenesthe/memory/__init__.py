"""The working memory of a program: results kept up to date from query to query.

| module | holds |
|---|---|
| `memory` | `Memory.advance`: what became known in, what that changes out |
| `operations`, `inputs` | inserts and retractions, what is too late, what is seen of an input |
| `node` | a formula that remembers: what changes, what is affected, what may go |
| `cuts` | up to when nothing changes, by binding |
| `pointwise`, `ranges`, `sets`, `repeats`, `relations`, `sequences`, `whole` | the formulas |
| `build` | from formulas to nodes |
| `deltas` | what a memory tells another one that uses its definitions |
| `dump` | a memory as tables, and back |
| `store`, `files` | the folder in which it waits for the next run |
| `header`, `resume` | what a state is of, and how a run goes on from it |
| `remembered` | what is remembered, and why |
| `recall`, `tables`, `pairs`, `domains` | evaluating some rows, comparing, joining, coding them |
"""

from phenesthe.memory.deltas import Delta
from phenesthe.memory.memory import Advance, Memory
from phenesthe.memory.operations import Operations, Refused

__all__ = ["Advance", "Delta", "Memory", "Operations", "Refused"]
