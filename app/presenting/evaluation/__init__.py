"""Words, tables and charts of evaluations."""
