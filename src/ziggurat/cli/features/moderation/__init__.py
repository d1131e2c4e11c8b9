"""Commands of the hosts of the service."""
