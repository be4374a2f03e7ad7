"""PDF files through PDFium, which is not thread-safe: a process uses one file in one thread."""
