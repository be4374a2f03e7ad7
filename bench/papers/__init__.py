"""Papers of an office, made up: agreements, invoices, datasheets, manuals, policies, letters and lists."""
