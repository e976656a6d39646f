"""The games that come with the companion, each in one folder: rules, screen, page, report and players."""
