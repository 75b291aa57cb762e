"""The content types of files by the endings of their names."""

from deidstream.models.messages.attachments.read_attachment import DOCX

CONTENT_TYPES = {
    ".txt": "text/plain",
    ".text": "text/plain",
    ".md": "text/markdown",
    ".csv": "text/csv",
    ".html": "text/html",
    ".htm": "text/html",
    ".rtf": "text/rtf",
    ".pdf": "application/pdf",
    ".docx": DOCX,
}
"""By the ending, in small letters."""
