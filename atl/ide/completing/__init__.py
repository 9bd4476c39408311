"""The parts of completion: where the cursor stands, and what each kind of place offers."""
