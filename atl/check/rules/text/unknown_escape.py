r"""A backslash in a string stands before a character that it does not escape.

## Why

The escapes are `\"`, `\\`, `\n` and `\t`. Anything else is refused, so that a Windows path or a regular expression
cannot silently lose its backslashes.

## Example

```atl
job Archive in office {
  queue "paper\archive"
}
```

## Fix

Double the backslash where one is meant.

```atl
job Archive in office {
  queue "paper\\archive"
}
```
"""
