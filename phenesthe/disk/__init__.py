"""Files that are there whole or not at all, whenever a process ends. Nothing here knows results."""
