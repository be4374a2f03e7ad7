"""Conversations, kept plans, corrections, results of nodes."""
