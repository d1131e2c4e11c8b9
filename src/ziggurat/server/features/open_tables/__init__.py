"""Open tables: anyone may join, a search finds one, and people can be notified of new ones."""
