"""The operators of the language on columns: all bindings of a stage in one vectorised pass.

A relation is a set of equal-length int64 columns sorted by binding, then time. `key` is a code of
the binding: rows with the same key belong to the same binding, and operands of one call share one
coding. Nothing here knows of names, types, columns other than time, or where the rows come from.

| module | holds |
|---|---|
| `arrays` | the relations `Instants`, `Intervals`, `Runs` and the open end |
| `order` | one comparable code per (key, time); sorting, removing duplicates |
| `spans` | lengths of time that cannot overflow, and their comparison |
| `search`, `lookup` | range reporting and joins by time that never enumerate their misses |
| `space` | joins that cannot fit into memory, refused before they are made |
| `instants`, `runs`, `events` | Φ•: listed instants, runs of instants, and either |
| `exact_sums`, `near_sums`, `row_ranges`, `aggregates` | what is computed of many rows |
| `machines`, `machine_blocks`, `machine_steps` | machines: by nodes, in blocks or by one scan |
| `calendar` | from a local time to the next |
| `ranges`, `exclusive`, `states`, `counting`, `repeat`, `neighbours`, `allen` | Φ⁻ |
| `adjacency`, `relations`, `combinations`, `nearly` | Φ⁼ |
| `sphere` | distances on the earth |

Every kernel takes what is known at the query time q: instants t ≤ q, starts ≤ q, and ends that are
≤ q or open. Times may lie anywhere in ±2⁶², lengths of time in 0 … 2⁶³ − 1.
"""
