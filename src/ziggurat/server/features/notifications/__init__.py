"""Notifications to people who are away from their tables."""
