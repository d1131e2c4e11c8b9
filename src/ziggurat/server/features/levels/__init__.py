"""Levels of people: one fit over the list of all counted games of a game, with the bots as the fixed metre."""
