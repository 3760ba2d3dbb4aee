"""What sites share on which one books a time somewhere: tables at restaurants, places on tours and in classes."""
