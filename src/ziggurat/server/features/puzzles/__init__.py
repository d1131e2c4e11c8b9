"""Find the move: puzzles and their ratings."""
