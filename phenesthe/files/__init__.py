"""Files as they come from outside: bounded, and told apart from what only looks like one."""
