"""Forms of questions with nodes of their own: superlatives, parties in common, policies, rows, sides."""
