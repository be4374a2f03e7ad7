"""Durable jobs: submitted by anyone, run by one worker per home, resumed after any kind of end."""
