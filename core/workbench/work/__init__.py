"""The work of a home: jobs submitted, their handlers, and the upkeep between them."""
