"""A word stands where a declaration, clause or modifier may begin, and is none.

## Why

Most often it is a slip of the finger, or a word of another language. Only the word is reported; what belongs to it is
skipped, and reading goes on.

## Example

```atl
job Inspect in canal {
  retry 3
}
```

## Fix

```atl
job Inspect in canal {
  retries 3
}
```
"""
