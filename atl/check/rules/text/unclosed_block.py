"""A `{` is never closed.

## Why

The finding stands at the opening brace and not at the end of the file, and points to the declaration before which the
closing one is missing: a body ends at the latest where the next declaration begins at the start of a line. What comes
after it is read and checked as usual.

## Example

```atl
job Restack in depot {
  retries 2

job Recount in depot {
  retries 1
}
```

## Fix

```atl
job Restack in depot {
  retries 2
}

job Recount in depot {
  retries 1
}
```
"""
