"""Questions over labelled contracts, the right sets from the labels, and homes to ask them in."""
