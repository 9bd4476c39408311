"""A string does not end on its line, or a block comment does not end at all.

## Why

A string reaches from `"` to `"` on one line. Without the second quote the rest of the line is taken as the text, and
reading goes on in the next line.

## Example

```atl
job PrintLabels in press {
  queue "labels
}
```

## Fix

```atl
job PrintLabels in press {
  queue "labels"
}
```
"""
