"""From ranked sentences to the evidence of one answer: pack, dedupe, score, gaps."""
