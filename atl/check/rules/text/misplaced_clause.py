"""A clause of one kind of declaration stands in another kind.

## Why

It would have no meaning here: an entity is not run, so it has no `retries`; a job is not stored, so it has no `index`.
The finding says where the clause belongs. All that belongs to the clause is skipped with it.

## Example

```atl
entity Truck in haulage {
  id bigint primary
  retries 3
}
```

## Fix

```atl
entity Truck in haulage {
  id bigint primary
}

job Wash in haulage {
  retries 3
}
```
"""
