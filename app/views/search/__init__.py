"""Search: the lists behind a search side by side."""
