"""Nodes, tokens and comments back to text, in the one standard form: only white space changes, and commas at ends."""
