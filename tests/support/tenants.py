"""A service of some hospitals: a base policy, one of a tenant's own, and the file of tenants."""

from pathlib import Path

RULES = 'technique = "{}"\nrecognizers = ["rules", "dictionary"]\n'
TENANTS = '[tenants]\nmercy = "redact"\n"St Anne" = "own/anne.toml"\nthird = "own/anne.toml"\n'


def write_site(folder: Path) -> Path:
    """Write the files of such a service, and return their folder."""
    (folder / "own").mkdir()
    (folder / "own" / "anne.toml").write_text(RULES.format("redact") + 'redact_style = "xxx"\n')
    (folder / "base.toml").write_text(RULES.format("surrogate"))
    (folder / "tenants.toml").write_text(TENANTS)
    return folder
