"""Parts that several pages show and that fetch for themselves: evidence, jobs."""
