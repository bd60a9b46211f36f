"""Tests of definitions: `NAME.test.jsonl` beside `NAME.phe`."""
