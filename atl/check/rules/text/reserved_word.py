"""A reserved word is used as a name.

## Why

The word begins or joins clauses, so a field of that name could not be told from one. Many other words of the language
may name a field: `state`, `queue`, `timeout`, `tag`, `step` and more.

## Example

```atl
entity Host in rack {
  id bigint primary
  ip inet not null
}
```

## Fix

```atl
entity Host in rack {
  id bigint primary
  address inet not null
}
```
"""
