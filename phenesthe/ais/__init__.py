"""From AIS position reports to the input tables of the maritime library."""
