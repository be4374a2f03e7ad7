"""The connection, its tables and migrations, access, leases, changes and originals."""
