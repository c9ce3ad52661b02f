"""From rows and recorded calls to the files that trainers read.

`data_set` runs the passes: `asked_questions` puts questions to an LLM, if the rows have no answers
yet; `training_examples` makes an example of each line, with `repairs` of faulty answers;
`example_index` finds duplicates and splits the examples; `writing` writes them by `outputs`, with a
card and a `manifest`.
"""
