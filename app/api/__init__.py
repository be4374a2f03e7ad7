"""Routes beside the pages: images, text, uploads, downloads, running answers; nothing here draws."""
