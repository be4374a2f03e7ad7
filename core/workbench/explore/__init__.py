"""Services by which a collection is looked through."""
