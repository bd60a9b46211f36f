"""Many thousand random and broken programs: `python -m tests.soak`."""
