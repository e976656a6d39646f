"""The rules of SkyFire: facts, state, sentences and views. Pure: no screen, port, disk, clock or chance."""
