"""Between the checked program and the engines: what is read, what is shared, what runs where."""
