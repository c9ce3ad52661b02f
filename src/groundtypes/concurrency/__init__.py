"""Threads, coroutines and forks: engines are waited for without blocking the event loop."""
