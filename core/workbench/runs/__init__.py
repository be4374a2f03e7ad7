"""Runs of kept plans: their records, and what differs between two of them."""
