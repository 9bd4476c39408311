"""Benchmarks: `make bench`. Nothing here is installed or imported by the product."""
