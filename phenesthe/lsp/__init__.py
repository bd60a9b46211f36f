"""The language server: what `phenesthe/ide` knows, in the words of the protocol (pygls 2)."""
