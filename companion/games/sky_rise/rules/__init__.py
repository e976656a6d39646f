"""The rules of Sky Rise: facts, state, sentences and views. Pure: no screen, port, disk, clock or chance."""
