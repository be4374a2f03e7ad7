"""From a parsed question to the nodes of a structured plan."""
