"""Text to syntax trees: lexer, parser with recovery, typed nodes, comments."""
