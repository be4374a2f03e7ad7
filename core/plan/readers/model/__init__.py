"""The language model as a reader: what it is told, its reply, and the reading made of that."""
