"""Commands of features of the server: each in a folder of the feature's name."""
