"""Answers that are computed over what documents state: sentences around exact values, with their ledger."""
