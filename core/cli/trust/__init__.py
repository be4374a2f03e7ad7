"""Commands of trust: accounts, tokens, the audit log."""
