"""What can happen at a table: plain functions from one table to the next, a small file each. They wait for nothing."""
