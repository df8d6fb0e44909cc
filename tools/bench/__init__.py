"""Benchmarks: each module measures one thing and prints what it saw. Nothing here is a test."""
