"""Programs with a story each; those that need code are packages."""
