"""What a run is, whoever asks for it, and the engines that do it."""
