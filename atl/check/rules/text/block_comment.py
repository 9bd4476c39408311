"""A comment is written between `/*` and `*/`.

## Why

The published language has only `//` comments. Block comments are read here, for a good message and a fix, but other
readers of the same file take them for errors. In raw SQL they are SQL's own and are left alone.

## Example

```atl
/* every night */
job Sweep in office {
  schedule "0 3 * * *"
}
```

## Fix

```atl
// every night
job Sweep in office {
  schedule "0 3 * * *"
}
```
"""
