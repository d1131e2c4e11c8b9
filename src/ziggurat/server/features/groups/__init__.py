"""Groups of people, their evenings and results."""
