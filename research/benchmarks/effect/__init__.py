"""What a part of the package changes on every set: it is replaced, and all rows are judged again.

`replacement` replaces names while a module is imported, `outcomes` lists the sets, `judging` is the
process that judges them, and `comparison` prints what two runs differ in.
"""
