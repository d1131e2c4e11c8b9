"""Moderation by the operators of the service, whom people read of as hosts: what they see, say and do."""
