"""Find the move: riddles and their ratings."""
