"""A comment silences a finding that is not there.

## Why

What it was written for has been mended or moved, and it would hide the next finding of that code unseen. At the end of
a line a silence is for the findings that start on that line; on a line of its own, for the next declaration or member;
`ignore-file`, which stands in the first comment block, is for the whole file. A code that no rule has silences nothing.

## Example

```atl
// atl: ignore[ATL405]
job Stocktake in library {
  timeout 20m
}
```

## Fix

Remove the comment, or the code from its list.

```atl
job Stocktake in library {
  timeout 20m
}
```
"""
