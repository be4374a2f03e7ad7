"""Plans of questions that text answers: classification, searches, comparisons, hops."""
