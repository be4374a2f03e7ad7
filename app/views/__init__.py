"""One module a page: read widgets, call the workbench, hand results to components."""
