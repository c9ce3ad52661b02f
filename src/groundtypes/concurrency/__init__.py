"""Threads, coroutines and forks: engines are waited for without blocking the event loop.

`nonblocking` runs coroutines in which synchronous code waits for engines (`driver`, `steps`). Calls
that may wait say so (`blocking`), async twins run in `threads`, a forked child renews its locks
(`forking`), and one kind of cache is shared by threads (`bounded_cache`).
"""
