"""Groundwork's agent package: ingest, search, plan, answer, cite and check."""
