"""From words to typed tokens: literals, dates, names, kinds, roles."""
