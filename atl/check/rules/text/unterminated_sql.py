"""The brace that opens raw SQL has no partner.

## Why

What stands between the braces is SQL, kept as it is. Braces inside strings, quoted names, dollar quotes and SQL
comments do not count, so a quote that is not closed can hide the closing brace, too.

## Example

```atl
entity Song in radio {
  id bigint primary
}

query Songs for Song {
  output as Song
  sql touches(Song) {
    SELECT id FROM radio.song WHERE id = abs(7
```

## Fix

```atl
entity Song in radio {
  id bigint primary
}

query Songs for Song {
  output as Song
  sql touches(Song) {
    SELECT id FROM radio.song WHERE id = abs(7)
  }
}
```
"""
