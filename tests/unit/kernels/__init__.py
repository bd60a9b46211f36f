"""Each kernel against a direct reading of the language, on small times and few keys."""
