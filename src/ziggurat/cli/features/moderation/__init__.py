"""Commands of the operators of the service."""
