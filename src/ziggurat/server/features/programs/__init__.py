"""Programs of people at tables: tokens, streams and moves."""
