"""Groundwork's core: ingest, search, plan, answer, cite and check."""
