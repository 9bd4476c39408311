"""The one door to PostgreSQL's grammar (libpg_query, from the wheel `postgast`).

Sees nothing of the rest of the product: plain text in, plain tuples out, offsets in code points of the text given.
`$name` stands for a parameter in every text; it is replaced by a positional one of equal or mapped width before
PostgreSQL's grammar sees it, and every offset is mapped back. The library is loaded at the first call that parses.
"""
