"""`companion board ...`: install the firmware; watch, test and calibrate a board."""
