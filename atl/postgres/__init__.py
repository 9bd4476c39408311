"""The one door to PostgreSQL's grammar (libpg_query, from the wheel `postgast`).

Sees nothing of the rest of the product: plain text in, plain tuples out, offsets in code points of the text given.
`$name` stands for a parameter in every text; it is replaced by a positional one of equal width before PostgreSQL's
grammar sees it, and offsets are those of the text as it was given. The library is loaded at the first call that parses.
"""
