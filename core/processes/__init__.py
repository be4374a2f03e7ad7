"""Child processes: frames over pipes, tasks with time limits, pools."""
