"""Files of every kind that we read, damaged at random: every command answers in words."""
