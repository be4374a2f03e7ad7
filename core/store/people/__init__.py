"""Accounts, sessions, tokens and the audit log, as they are kept."""
