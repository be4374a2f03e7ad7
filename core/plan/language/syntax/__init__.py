"""From typed tokens to a tree: measures, conditions, negation, groups, order."""
