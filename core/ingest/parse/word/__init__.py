"""Word files: DOCX, DOCM and their templates, read part by part, so that a damaged part costs only itself."""
