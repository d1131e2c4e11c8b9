"""After the last move: reviewing a game together, showing it to others, and trying other moves."""
