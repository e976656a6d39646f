"""A board without hardware: the same firmware behind pins and a wire of ours."""
