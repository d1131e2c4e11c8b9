"""Open tables: anyone may join, a search finds one, people can be told of new ones."""
