"""After the last move: a game is looked at together, shown to others, and tried otherwise."""
