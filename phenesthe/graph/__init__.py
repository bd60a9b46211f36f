"""What a program is: operators, each by its meaning, and how they use each other. No NumPy here.

| module | holds |
|---|---|
| `formulas` | conditions and formulas over instants, which are the inside of an operator |
| `operator` | what all operators have; operands, inputs |
| `instant`, `select`, `ranges`, `repeats` | operators, what each remembers |
| `machines`, `calendars` | the same: states that follow what came before, or time alone |
| `sets`, `counting`, `filters`, `extended` | the same: what is made of states |
| `relations`, `sequences`, `whole` | the same: relations, by how they wait |
| `every` | all of them |
| `program` | the graph of a program |
| `identity` | ids made of meaning |
| `origin` | where something was written |
| `lengths` | durations, of which some vary |
| `remembering`, `bound_formulas`, `bound_sequences` | what is kept for how long, in words |
| `scan` | what is read of an input |
"""
