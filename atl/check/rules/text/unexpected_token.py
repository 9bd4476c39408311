"""Something stands where the grammar expects something else.

## Why

The server reads declarations by the same grammar and refuses the whole file. The finding says what may stand at this
place, in words, and what was found instead. Reading goes on behind it, so one slip costs one finding.

## Example

```atl
entity Crane in harbour {
  id bigint primary
  query_timeout 5s
}
```

## Fix

```atl
entity Crane in harbour {
  id bigint primary
  query_timeout = 5s
}
```
"""
