"""Questions about two or more named sides: totals of each, differences, which of them is more."""
