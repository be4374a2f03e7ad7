"""One parser for each kind of file."""
