"""Rows in, clean and rejected rows out.

`job` reads lines and hands them in batches to `batch_pool`, in this process or in workers. There a
`RowProcessor` (`processing`) makes the lines of each output. The one of `groundtypes check` is
`row_auditor`; callers of `job` can bring another. `answer_auditor` audits the answers.
`provider_batches` checks the result files of a provider's batch API, and `audited` reads audited
rows again.
"""
