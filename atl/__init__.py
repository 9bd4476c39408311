"""The toolchain for the .atl language."""

__version__ = "0.1.0"
