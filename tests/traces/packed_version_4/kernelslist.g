kernel-1.traceg.packed
