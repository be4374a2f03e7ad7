"""Who may come in, and what was done: accounts, tokens, and the entries of the audit log."""
