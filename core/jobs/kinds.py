"""Kinds of jobs that are asked for where what does them is not imported."""

EXTRACT = "extract"
RETRAIN = "retrain"
OCR = "ocr"
