"""Audits and data sets on many machines, by Ray: the same outputs as on one machine.

`shards` cuts the input into parts, `pool` sizes the workers for the cluster, and `runner` has every
part processed by one of them, keeps what is finished, and goes on where an earlier run stopped.
`check` runs `groundtypes check` that way.

It needs Ray: `pip install 'groundtypes[ray]'`.
"""
