"""The HTTP floor: the requests of a browser, and the answers to them."""
