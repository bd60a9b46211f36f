"""How long checking takes, beside what it may take: `python -m tests.benchmarks`."""
