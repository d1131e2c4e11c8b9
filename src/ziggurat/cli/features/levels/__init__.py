"""Commands about levels of people."""
