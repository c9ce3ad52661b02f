"""The engines: NLI engines, which score pairs of texts, and the LLM engine.

No engine is imported before it is used. How a pair is scored:

1. `nli_onnx.OnnxNLI` or `nli_torch.TransformersNLI` is created with its settings; `bundled` holds
   the default NLI engine.
2. `nli_engine.NLIEngine.score` takes a batch of pairs. `loaded_models` returns the model of the
   settings, which is loaded once for each process from a `model_folder`.
3. `score_cache` returns the scores that are cached, by hashes of the model and the texts.
4. `tokenization` turns the others into tokens that fit the model's window.
5. `batching` sorts them by length and cuts them into batches, which the model runs.
6. `label_adapters` turns logits into probabilities of the three labels.
7. `calibration` combines the scores with the words that the two texts share.

`onnx_session` runs the models of ONNX Runtime: those of `nli_onnx`, and the bundled one that says
whether a reply refuses (`reply_classifier`).

How a question is answered by the LLM engine, `llm.InstructorLLM`: `reply_cache` returns the replies
that are cached, under keys that name the LLM (`llm_identity`). The other questions are sent through
a client of `llm_clients`, all on the event loop of `connections`; their requests are counted
against the `budget` where they leave (`llm_calls`). They are asked again by `retries`, which learns
from `llm_errors` what went wrong.

Both caches can be files, which are each an `sqlite_table`.
"""
