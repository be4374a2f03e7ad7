"""Jobs: the long work of the home, and its outcome file by file."""
