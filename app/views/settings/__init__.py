"""Settings: the parts that this home runs on, and the care of its search index."""
