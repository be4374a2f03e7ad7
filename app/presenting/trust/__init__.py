"""Words and plots of what reviewers and auditors look at."""
