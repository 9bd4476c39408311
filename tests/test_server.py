"""The shared fixture gives a server that answers."""


def test_it_answers(server: str) -> None:
    import psycopg

    with psycopg.connect(server) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)
