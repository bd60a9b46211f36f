"""Files, names and links that nobody makes on purpose are answered in words."""
