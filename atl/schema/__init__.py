"""From trees to meaning: types, symbols, name resolution, and the resolved model with its JSON."""
