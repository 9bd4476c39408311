"""Changes to SQL, and SQL to a database."""
