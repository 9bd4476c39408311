"""The workspace: `tide.yaml`, the files, unsaved texts over them, what must be checked again, the cache on disk.

- `atl.workspace.checking.check_paths`: one run over paths, as the command line does it; `mending.fix_paths` mends.
- `atl.workspace.live.Workspace`: a workspace held in memory, for the editor and everything that wants trees.
- `atl.workspace.config`: `tide.yaml` and `atl.toml`; `WorkspaceError` is what a user of any of these has to show.
"""
