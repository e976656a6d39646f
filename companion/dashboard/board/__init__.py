"""The screens of `companion board monitor`, `calibrate` and `selftest`: one app with three pages."""
