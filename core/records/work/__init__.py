"""What people and processes do: jobs, conversations, plans, traces, corrections."""
