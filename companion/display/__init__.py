"""What games declare of their picture, drawn as text for any screen, page or report."""
