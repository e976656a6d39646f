/*
 * A board of contacts: takes in their edges and the host's frames, and answers as PROTOCOL.md says.
 *
 * It has no hit sensor, no outputs and no prompt, and says so by its capabilities, so no host asks for them.
 */
#ifndef BOARD_H
#define BOARD_H

#include "contact.h"
#include "ring.h"
#include "wire.h"

enum {
    BOARD_MAX_CHANNELS = 12,
    /* Bit n of a STATE is the channel with id n. */
    BOARD_MAX_CHANNEL_ID = 15,
    BOARD_ROLE_TRIGGER = 1,
    BOARD_ROLE_ZONE = 3,
};

struct board_channel {
    uint8_t id;
    uint8_t role;
    uint8_t index;        /* within the role; zones count from 1 */
    uint8_t active_level; /* of the pin while it is pressed */
};

/* Who the board is; all of it goes into HELLO. `stamp_error_us` is the largest error of a stamp, at the pin. */
struct board_identity {
    uint64_t uid;
    uint16_t boot_id; /* random at each start, never 0 */
    uint16_t stamp_error_us;
    const char *firmware;
    const char *name;
    const struct board_channel *channels;
    uint8_t channel_count;
};

/* What the machine must offer: a counter of microseconds that never goes back, and a way to the host. */
struct board_port {
    void *machine;
    uint64_t (*now_us)(void *machine);
    void (*write)(void *machine, const uint8_t *data, size_t size);
};

struct board_settings {
    uint16_t lock_us;
    uint16_t glitch_us;
    uint32_t crc;
};

struct board {
    struct board_identity identity;
    struct board_port port;
    struct board_settings settings;
    struct contact contacts[BOARD_MAX_CHANNELS];
    struct ring ring;
    struct wire_reader reader;
    bool is_stamping;
    bool arm_waits;  /* for room in the ring */
    bool is_attached;
    uint64_t heard_us;
    uint64_t stats_said_us;
    uint16_t in_flight;
    uint32_t fresh_seq; /* the first number that was never sent */
    uint32_t resends;
    uint64_t sent_us;
    uint32_t resend_after_us;
};

/* Begin; `closed` has what each contact is now, in the order of the identity's channels. Says HELLO. */
void board_start(struct board *board, const struct board_identity *identity, const struct board_port *port,
                 const bool *closed);

/* An edge on the identity's channel number `place`, stamped when it happened. Edges of one contact come in order. */
void board_edge(struct board *board, uint8_t place, bool is_closed, uint64_t t_us);

/* Bytes from the host; `read_us` is when the last of them was read. */
void board_receive(struct board *board, const uint8_t *data, size_t size, uint64_t read_us);

/* One turn of the main loop, at least every few milliseconds, after all edges until now were handed over. */
void board_step(struct board *board);

#endif
