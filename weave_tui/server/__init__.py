"""The broker for other tools: HTTP on this machine, and MCP over standard input and output.

`library` keeps the registry fresh, `answers` says what is answered in documents alone; `http` and `mcp` carry it.
No path of a file is taken from a request or put into an answer. FastAPI and the MCP SDK are extras.
"""
