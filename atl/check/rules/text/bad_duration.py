"""A duration is zero, below a millisecond, too large, or of no known unit.

## Why

A duration is a whole number directly followed by `ns`, `us`, `ms`, `s`, `m`, `h` or `d`, and must come to at least one
millisecond, without a rest, and fit in 64 bits. There is no unit for weeks or months.

## Example

```atl
job Sync in relay {
  timeout 30min
}
```

## Fix

```atl
job Sync in relay {
  timeout 30m
}
```
"""
