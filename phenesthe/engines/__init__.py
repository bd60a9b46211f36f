"""Where a program runs. All engines evaluate the same stages."""
