"""Commands about the seasons of groups."""
