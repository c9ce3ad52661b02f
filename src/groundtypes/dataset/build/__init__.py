"""From rows and recorded calls to the files that trainers read.

`pipeline` runs the passes: `asking` puts questions to an LLM, if the rows have no answers yet;
`examples` makes an example of each line, with the `prompts` that ask for it and `repairs` of faulty
answers; `index` finds duplicates (`duplicates`) and splits the examples;
`writing` writes them as rows (`formats`) of JSON Lines and Parquet files (`outputs`), with a card
and a `manifest`.
"""
