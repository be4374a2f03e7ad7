"""Plans run: the executor, the memory of node results, the tools of a model."""
