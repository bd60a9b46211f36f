"""How each operator is computed, and what remembers it from query to query.

| module | holds |
|---|---|
| `rows`, `table` | a result: columns of codes with times; keys, sorting, joins of bindings |
| `domains` | values and their codes: what lets strings and floats be joined as integers |
| `arithmetic`, `texts`, `values`, `conditions` | values and conditions over columns |
| `events`, `dense`, `arrange` | formulas over instants |
| `lengths` | durations, row by row where they vary |
| `work`, `too_many` | what an operator has at hand while it computes; results that cannot fit |
| `held`, `quiet`, `node`, `unchanged`, `tables` | remembered rows, at hand or at rest; what goes |
| `instant`, `select`, `ranges`, `repeats`, `machines`, `calendars` | the operators of `graph` |
| `neighbours`, `sweeps`, `monotone` | the pair condition of `repeat` |
| `sets`, `counting`, `filters`, `extended` | the same: what is made of states |
| `aggregates`, `measures`, `folds` | the same: values of many rows, and what they were so far |
| `contexts` | operands of which only the bindings are looked at |
| `relations`, `sequences`, `whole`, `meeting`, `pairs` | the same: relations, and two operands |
| `nodes` | which is which |
| `load`, `evaluate` | a partition: tables in, every operator once, tables out |
"""
