"""Two schemas, and what is between them."""
