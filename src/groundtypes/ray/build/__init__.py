"""A data set made by Ray: the same bytes as `groundtypes.dataset.build_dataset` writes.

`pipeline` has the function, and `engine` runs the passes. Lines are judged shard by shard, into
files of examples. All that follows is made of `stages`: tasks that read files of earlier stages and
leave one folder each, so that the memory of every process is bounded, and an interrupted run does
none twice.

- `duplicates` reads the keys of each example, `components` finds which examples share keys,
  directly or through others, and all examples that can influence each other are then judged in
  their order by one task, with the index of one machine.
- `groups` joins the examples that share references, orders the groups, and splits them.
- `rows` writes the rows of each shard, and joins the shards in order.

`tables` are the files between the stages.
"""
