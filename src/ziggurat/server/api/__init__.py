"""HTTP: what a browser asks, and what it is answered."""
