"""The workspace: `tide.yaml`, the files, unsaved texts over them, and what must be checked again."""
