"""How long checking and running take, beside what they may: `python -m tests.benchmarks`."""
