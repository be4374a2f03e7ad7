"""`groundwork llm`."""
