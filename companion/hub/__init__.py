"""Many tables: what a club night's or a convention's hub keeps of them, and shows."""
