"""From files to passages: intake, parse, clean, chunk, and page images."""
