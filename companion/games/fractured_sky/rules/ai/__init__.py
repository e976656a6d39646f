"""The AI opponents (FS-31 to FS-45). They read `public.PublicTable`, what lies open on the table, alone."""
