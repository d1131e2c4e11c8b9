"""What a network is told of a game, and the network that has learned."""
