"""The plan as any planner makes it: nodes, validation, hashing, serialisation, estimates."""
