"""Components that draw pages; each is given its data and reports what was done in it."""
