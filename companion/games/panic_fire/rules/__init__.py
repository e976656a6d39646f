"""The rules of Panic Fire: facts, state, sentences and views. Pure: no screen, port, disk, clock or chance."""
