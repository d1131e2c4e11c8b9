"""What is said over HTTP and over sockets, to whom, and how it is refused."""
