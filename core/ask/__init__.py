"""The read side put together: guard, plan, retrieve, answer, verify, as one stream of typed events."""
