"""Rows in, clean and rejected rows out.

`job` reads lines and hands them in batches to `pool`, in this process or in workers. There a
`RowProcessor` (`processing`) makes the new lines of each output: `row_auditor` for
`groundtypes check`, `build.examples` for data sets; both audit with `auditing`. `batch_files` does
the same for the result files of a provider's batch API, and `audited` reads audited rows again.
"""
