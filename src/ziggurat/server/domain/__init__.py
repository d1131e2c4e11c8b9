"""What a table is, and what can happen at it: pure functions from one table to the next. They wait for nothing."""
