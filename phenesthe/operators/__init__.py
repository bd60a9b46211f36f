"""Evaluate the definitions of a program on one partition of the data, whole columns at a time.

| module | holds |
|---|---|
| `domains` | values and their codes: what lets strings and floats be joined as integers |
| `rows` | a formula's result: columns of codes with times; keys, sorting, joins of bindings |
| `arithmetic`, `conditions` | values and timeless conditions over the columns of a table |
| `events`, `dense`, `states`, `dynamics` | the formulas, by kind |
| `evaluate` | a whole program |
"""
