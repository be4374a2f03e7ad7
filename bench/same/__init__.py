"""Recording of all that people see of a collection, and its comparison with an earlier recording."""
