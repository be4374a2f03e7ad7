"""Extraction as durable work: jobs, the pool of children, and the child itself."""
