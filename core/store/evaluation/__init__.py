"""Records of evaluations: suites of a home, runs with their results, cases that do not count."""
