"""Commands about copies of the database."""
