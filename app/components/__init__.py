"""What pages are drawn from; a component is given its data and reports what was done in it."""
