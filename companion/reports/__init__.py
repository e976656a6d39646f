"""What a session leaves behind: exports and their import, the report, statistics, the sheet to go on by hand."""
