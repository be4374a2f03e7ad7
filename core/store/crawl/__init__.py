"""Crawls in the records: what was asked for, the frontier that the crawler works off, and the ledger."""
