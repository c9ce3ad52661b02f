"""The engines: NLI engines, which score pairs of texts, and the LLM engine.

`nli_onnx`, `nli_torch` and `nli_causal` are engines around one `nli_engine`, which looks scores up
in a `score_cache` and has a model score the others; `calibration` combines them with the words that
the texts share. `llm` is the LLM engine: it looks replies up in a `reply_cache`, and sends the
other questions through a client of `llm_clients`, whose requests are counted where they leave
(`llm_calls`) and asked again by `retries`. No engine is imported before it is used.
"""
