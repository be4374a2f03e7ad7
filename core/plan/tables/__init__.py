"""Questions over rows of tables: linked to columns and values, read into a query, and planned."""
