"""Documents: the table of the collection, and one document beside it."""
