from atl.check.registry import Row

RULES: tuple[Row, ...] = ()
