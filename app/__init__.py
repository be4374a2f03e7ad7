"""The workbench in a browser: pages, components, and the routes beside them."""
