"""Read the text of attachments and uploads: plain text, HTML, XML, RTF, PDF and DOCX."""
