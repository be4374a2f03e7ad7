"""The map in words and places."""
