"""The rules of Fractured Sky: facts, state, sentences and views. Pure: no screen, port, disk, clock or chance."""
