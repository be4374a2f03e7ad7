"""Sign-in, and the services for accounts, tokens and the audit log."""
