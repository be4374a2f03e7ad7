"""From a question to a typed plan: cleaning, classification, routing, plan nodes."""
