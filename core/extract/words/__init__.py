"""Fields defined in plain words: sentences in order of how likely they state one, and its small head."""
