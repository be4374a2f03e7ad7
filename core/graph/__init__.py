"""The map of a collection: made from its records, searched and walked."""
