"""Documents, versions, pages and passages."""
