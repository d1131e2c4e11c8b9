"""The inputs of the game's network, and the trained network."""
