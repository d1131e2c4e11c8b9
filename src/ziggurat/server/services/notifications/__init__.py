"""Notifications: what is to be told, by which channels, in which words, and sending it."""
