"""What those who keep a home running are told of it."""
