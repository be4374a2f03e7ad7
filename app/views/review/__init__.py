"""Review: flagged answers, worked one after the other, and what the verdicts say."""
