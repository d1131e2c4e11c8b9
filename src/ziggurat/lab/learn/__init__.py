"""A network learns a game by playing it against itself."""
