"""HTTP for the pages and interfaces that people and programs call: serve, admit, limit, reply.

The worker's own port is :mod:`deidstream.stream.http.ops_server`.
"""
