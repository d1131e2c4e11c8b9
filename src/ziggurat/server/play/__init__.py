"""What happens at a table: one small file for each verb."""
