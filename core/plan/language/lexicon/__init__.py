"""Words that the grammar knows, and names and meanings that the collection adds."""
