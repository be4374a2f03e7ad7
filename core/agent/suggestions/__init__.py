"""Follow-up questions that are known to have an answer."""
