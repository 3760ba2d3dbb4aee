"""Others' files turned into ours and back; each format is one module of plain functions."""
