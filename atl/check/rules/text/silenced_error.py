"""A comment is meant to silence an error.

## Why

An error is what the server refuses: silenced, it would only be found later and with less explanation. So it is reported
all the same, and the comment is a warning. Warnings and hints can be silenced.

## Example

```atl
entity Loan in library {
  id bigint primary
  weeks int default "four" // atl: ignore[ATL203]
}
```

## Fix

Mend the error and remove the comment.

```atl
entity Loan in library {
  id bigint primary
  weeks int default 4
}
```
"""
