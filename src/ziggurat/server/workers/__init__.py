"""What goes on beside the questions that are asked: keeping tables, spreading news, thinking, compiling."""
