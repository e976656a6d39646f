#include "ring.h"

#include <string.h>

void ring_start(struct ring *ring, uint16_t boot_id)
{
    memset(ring, 0, sizeof *ring);
    ring->boot_id = boot_id;
    ring->next_seq = 1;
}

bool ring_has_room(const struct ring *ring)
{
    return RING_SIZE - ring->held >= 2;
}

const struct ring_place *ring_at(const struct ring *ring, uint16_t index)
{
    return &ring->places[(ring->oldest + index) % RING_SIZE];
}

uint32_t ring_oldest_seq(const struct ring *ring)
{
    return ring->held ? ring_at(ring, 0)->seq : ring->next_seq;
}

uint16_t ring_count_before(const struct ring *ring, uint32_t seq)
{
    uint16_t count = 0;
    while (count < ring->held && ring_at(ring, count)->seq < seq)
        count++;
    return count;
}

static void append(struct ring *ring, enum wire_kind kind, const char *layout, const uint64_t *numbers)
{
    struct wire_frame frame = {.kind = (uint8_t)kind, .boot_id = ring->boot_id, .seq = ring->next_seq};
    uint8_t bytes[WIRE_MAX_FRAME];
    frame.size = wire_pack(frame.body, layout, numbers);
    size_t length = wire_write(&frame, bytes);

    struct ring_place *place = &ring->places[(ring->oldest + ring->held) % RING_SIZE];
    memcpy(place->frame, bytes, length);
    place->length = (uint8_t)length;
    place->seq = ring->next_seq++;
    ring->held++;
    if (ring->held > ring->high_water)
        ring->high_water = ring->held;
}

static void refuse(struct ring *ring, uint64_t t_us)
{
    if (ring->gap_count == 0) {
        ring->gap_seq = ring->next_seq;
        ring->gap_first_us = ring->gap_last_us = t_us;
    }
    /* Stamps are not put in by their order: a release is known later than it happened. */
    if (t_us < ring->gap_first_us)
        ring->gap_first_us = t_us;
    if (t_us > ring->gap_last_us)
        ring->gap_last_us = t_us;
    ring->gap_count++;
    ring->next_seq++;
}

void ring_put(struct ring *ring, enum wire_kind kind, const char *layout, const uint64_t *numbers, uint64_t t_us)
{
    if (ring_has_room(ring))
        append(ring, kind, layout, numbers);
    else
        refuse(ring, t_us);
}

uint16_t ring_drop_through(struct ring *ring, uint32_t seq)
{
    uint16_t dropped = ring_count_before(ring, seq + 1);
    ring->oldest = (uint16_t)((ring->oldest + dropped) % RING_SIZE);
    ring->held = (uint16_t)(ring->held - dropped);
    if (ring->gap_count && ring_has_room(ring)) {
        uint64_t gap[] = {ring->gap_seq, ring->gap_count, ring->gap_first_us, ring->gap_last_us};
        ring->gap_count = 0;
        append(ring, WIRE_GAP, WIRE_LAYOUT_GAP, gap);
    }
    return dropped;
}

void ring_clear(struct ring *ring)
{
    ring->oldest = 0;
    ring->held = 0;
    ring->gap_count = 0;
}
