"""A character that starts no token, a NUL, or a byte that is not UTF-8.

## Why

The server refuses the file. An invisible one, such as a byte of another encoding in a comment, is hard to find without
its place. The rest of the file is read as though the character were not there.

## Example

```atl
job Order in farm {
  retries 3;
}
```

## Fix

```atl
job Order in farm {
  retries 3
}
```
"""
