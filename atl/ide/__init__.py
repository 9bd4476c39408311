"""Editor features over offsets; knows no protocol."""
