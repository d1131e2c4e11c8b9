"""The hosts of the service: what they see, say and do."""
