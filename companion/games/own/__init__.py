"""Games that a data file defines: what is counted, by whom, and who wins."""
