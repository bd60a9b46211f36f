"""Simulated traffic off Brittany, with the truth of what each vessel did."""
