"""What people can do besides playing at a table: each in a folder of its own."""
