"""Notifications: what to send, by which channels, in which words, and the sending."""
