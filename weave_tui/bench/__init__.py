"""Routing benchmarks: labelled queries in, how often a router finds the right skill out.

`catalogue` reads the data, `routers` are what is compared, `measures` and `calibration` are the numbers.
The format is JSONL, `skills.jsonl` and `queries.jsonl` in one folder (docs/ranking.md, The benchmark).
"""
