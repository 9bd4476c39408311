"""What the client can ask, by family: each handler converts, asks `atl.ide`, and converts back."""
