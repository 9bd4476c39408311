"""Rules over trees and symbols: what the server or PostgreSQL would refuse, and what is very likely wrong."""
