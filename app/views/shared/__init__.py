"""The page that a shared link opens."""
