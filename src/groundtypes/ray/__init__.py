"""Audits and data sets on many machines, by Ray: the same outputs as on one machine.

`shards` cuts the input into parts, `worker_pool` sizes the workers for the cluster, and
`shard_runner` has every part processed by one of them, keeps what is finished (`shard_records`),
and goes on where an earlier run stopped. `checking` checks rows and makes data sets that way, and
`table_audits` audits tables (`table_shards`). It needs Ray: `pip install 'groundtypes[ray]'`.
"""

from groundtypes import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__)
