"""Plan: a question as a graph of typed steps, to be seen, run, changed, kept, and run again."""
