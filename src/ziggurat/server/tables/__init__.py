"""Tables: making them, sitting down, leaving."""
