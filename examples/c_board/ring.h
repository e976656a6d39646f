/* The numbered frames that the host does not have on its disk yet: "Numbers, ACK and the ring" in PROTOCOL.md. */
#ifndef RING_H
#define RING_H

#include "wire.h"

enum {
    /* 42 bytes each. The host plays on whatever it is: the larger, the longer it may be away. */
    RING_SIZE = 64,
    /* GAP's is the longest numbered body: 24 bytes, and one of COBS. */
    RING_FRAME = WIRE_HEADER + 24 + WIRE_CRC + 1 + 2,
};

struct ring_place {
    uint32_t seq;
    uint8_t length;
    uint8_t frame[RING_FRAME];
};

/* Numbers what is put in, from 1. A full ring keeps the oldest and refuses the newest, for the first edges decide. */
struct ring {
    struct ring_place places[RING_SIZE];
    uint16_t boot_id;
    uint16_t oldest;
    uint16_t held;
    uint16_t high_water;
    uint32_t next_seq;
    /* The numbers refused since the ring was full; none while `gap_count` is 0. */
    uint32_t gap_seq;
    uint32_t gap_count;
    uint64_t gap_first_us;
    uint64_t gap_last_us;
};

void ring_start(struct ring *ring, uint16_t boot_id);

/* Whether `ring_put` would keep what it is given: one place stays free for a GAP. */
bool ring_has_room(const struct ring *ring);

/* Number a body stamped `t_us` and keep it. A number that finds no room is spent all the same. */
void ring_put(struct ring *ring, enum wire_kind kind, const char *layout, const uint64_t *numbers, uint64_t t_us);

/* Forget everything up to and including `seq`; return how many frames that were. */
uint16_t ring_drop_through(struct ring *ring, uint32_t seq);

/* How many of the frames held have a number below `seq`. */
uint16_t ring_count_before(const struct ring *ring, uint32_t seq);

/* The frame `index` places behind the oldest. */
const struct ring_place *ring_at(const struct ring *ring, uint16_t index);

/* The oldest number held; `next_seq` when there is none. */
uint32_t ring_oldest_seq(const struct ring *ring);

/* Forget everything; the numbers go on. */
void ring_clear(struct ring *ring);

#endif
