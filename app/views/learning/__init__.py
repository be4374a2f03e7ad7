"""Learning: words of questions that nobody knows, and corrections that questions are planned by."""
