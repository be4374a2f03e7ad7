"""Work of people and processes: jobs, conversations, plans, traces, corrections."""
