"""The real command and a real client: every feature, end to end."""
