/*
 * Frames of the wire between board and companion, version 1.1: ../../firmware_protocol/PROTOCOL.md.
 *
 * C99, no heap and no operating system, so it compiles for a microcontroller without changes.
 */
#ifndef WIRE_H
#define WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    WIRE_MAX_BODY = 240,
    WIRE_HEADER = 7,
    WIRE_CRC = 4,
    /* The bytes between two delimiters. COBS adds one byte to at most 254. */
    WIRE_MAX_RUN = WIRE_HEADER + WIRE_MAX_BODY + WIRE_CRC + 1,
    WIRE_MAX_FRAME = WIRE_MAX_RUN + 2,
};

enum wire_kind {
    WIRE_WHO = 0x01,
    WIRE_ACK = 0x02,
    WIRE_REPLAY = 0x03,
    WIRE_PING = 0x04,
    WIRE_CONFIG = 0x05,
    WIRE_ARM = 0x06,
    WIRE_STANDBY = 0x07,
    WIRE_CUE = 0x08,
    WIRE_MAINTENANCE = 0x09,
    WIRE_SHOW = 0x0a,
    WIRE_HELLO = 0x81,
    WIRE_EVENT = 0x82,
    WIRE_STATE = 0x83,
    WIRE_GAP = 0x84,
    WIRE_PONG = 0x85,
    WIRE_STATS = 0x86,
    WIRE_LOG = 0x87,
    WIRE_CUE_DONE = 0x88,
    WIRE_OVERRUN = 0x89,
    WIRE_WAVE = 0x8a,
    WIRE_SETTLED = 0x8b,
    /* Kinds below this go from the host to the board. */
    WIRE_FROM_BOARD = 0x80,
};

/*
 * The bodies made of numbers alone, a letter each: b has 8 bits, h 16, w 32, q 64. HELLO, WAVE and LOG begin with such
 * numbers (LOG with none), and go on with what has no fixed length.
 */
#define WIRE_LAYOUT_ID "h"
#define WIRE_LAYOUT_SEQ "w"
#define WIRE_LAYOUT_CONFIG "hhhhh"
#define WIRE_LAYOUT_CUE "hbh"
#define WIRE_LAYOUT_HELLO "bbqbhwhwwh"
#define WIRE_LAYOUT_EVENT "bbqhh"
#define WIRE_LAYOUT_STATE "bhq"
#define WIRE_LAYOUT_GAP "wwqq"
#define WIRE_LAYOUT_PONG "hqqqw"
#define WIRE_LAYOUT_STATS "wwhhww"
#define WIRE_LAYOUT_CUE_DONE "hq"
#define WIRE_LAYOUT_OVERRUN "bwqq"
#define WIRE_LAYOUT_WAVE "qqh"
#define WIRE_LAYOUT_SETTLED "qw"

/* `seq` is 0 for a kind that is not numbered. */
struct wire_frame {
    uint8_t kind;
    uint16_t boot_id;
    uint32_t seq;
    uint8_t body[WIRE_MAX_BODY];
    size_t size;
};

/* Collects bytes up to the next delimiter; `bad_frames` counts runs that were no frame. Starts as all zero. */
struct wire_reader {
    uint8_t run[WIRE_MAX_RUN];
    size_t length;
    bool too_long;
    uint32_t bad_frames;
};

/* Write the frame with both delimiters to `out`, which holds WIRE_MAX_FRAME bytes; return how many it took. */
size_t wire_write(const struct wire_frame *frame, uint8_t *out);

/* Take the next byte; true when it ended a whole frame, which then stands in `frame`. */
bool wire_read(struct wire_reader *reader, uint8_t byte, struct wire_frame *frame);

/* CRC-32 as in zlib. */
uint32_t wire_crc32(const uint8_t *data, size_t size);

/* Write the numbers as `layout` says; return how many bytes they took. */
size_t wire_pack(uint8_t *out, const char *layout, const uint64_t *numbers);

/* Read them; false when the body is shorter. A longer one is of a newer minor version: its tail is ignored. */
bool wire_unpack(const uint8_t *body, size_t size, const char *layout, uint64_t *numbers);

#endif
