"""What an editor asks of a program: pure functions over `Analysis`, in characters, not protocol."""
