"""The ground floor of language: terms and stems, sentences, headings."""
