"""Nodes and comments back to text."""
