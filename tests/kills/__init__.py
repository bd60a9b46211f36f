"""A command is cut off at every one of its file-system calls, and made again."""
