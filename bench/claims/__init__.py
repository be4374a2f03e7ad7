"""Claims with their sources for measuring the checks of prose: marked by people, or changed by rules."""
