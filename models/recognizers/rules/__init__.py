"""The recognizer of written forms: one module for each kind of PHI.

A rule's id begins with the kind of PHI. ``date`` rules are in ``dates`` (digits),
``dates_in_words`` and ``years``; what was dictated is in ``spoken``; ``age`` in ``ages``; ``name``
in ``people`` (beside a rank), ``people_fields`` (after a role) and ``people_lines`` (beside an age,
a number or an initial); ``hospital`` and ``organisation`` in ``institutions`` and ``wards``; ``id``
in ``identifiers``; ``licence``, ``vehicle``, ``device`` and ``biometric`` in ``licences``. The
``*_fits`` and ``*_beside`` modules hold no rules: they narrow a match to its span.
"""
