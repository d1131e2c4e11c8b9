"""Self-play learning: a network learns a game by playing it against itself."""
