"""Fields in plain words: their sentences, labels of two collections, and the person who judges candidates."""
