"""Review of answers: what is flagged, and what the verdicts of people say about flags and one another."""
