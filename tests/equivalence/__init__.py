"""Random programs over random streams: every engine must agree with the slow reference."""
