"""Services beside the requests: keeping tables, spreading changes, searching, notifications, compiling."""
