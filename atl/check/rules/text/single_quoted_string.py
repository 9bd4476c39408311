"""A string is written in single quotes.

## Why

Only double quotes make a string here; single quotes belong to SQL, where they are what is needed.

## Example

```atl
job Water in garden {
  queue 'hoses'
}
```

## Fix

```atl
job Water in garden {
  queue "hoses"
}
```
"""
