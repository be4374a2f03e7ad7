"""Search engines, derived from records and rebuildable from them at any time."""
