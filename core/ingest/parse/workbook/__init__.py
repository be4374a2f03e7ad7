"""Workbooks: sheets with their visible cells, and what else stands in the file."""
