"""The seasons of a group: rounds of tables that follow from published parts, and a file that proves them."""
