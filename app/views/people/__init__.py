"""The page People: accounts, groups and tokens, for admins."""
