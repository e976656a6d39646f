#include "board.h"

#include <stdio.h>
#include <string.h>

enum {
    PROTOCOL_MAJOR = 1,
    PROTOCOL_MINOR = 1,
    RESET_POWER = 0,
    EVENT_PRESS = 0x01,
    EVENT_GLITCH = 0x10,
    STATE_ARMED = 0x01,
    CAN_ECHO_WHO = 0x0008,
    /* Frames on the wire without ACK: a host that does not read must not block the loop. */
    CREDIT = 8,
    RESEND_US = 100000,
    RESEND_LIMIT_US = 2000000,
    ATTACHED_US = 3000000,
    STATS_US = 10000000,
};

static const struct {
    const char *name;
    uint16_t usual, from, to;
} SETTINGS[] = {
    {"lock_us", 8000, 5000, 50000},
    {"glitch_us", 300, 0, 5000},
    {"hit_threshold", 300, 0, 4095},
    {"hit_scan_us", 5000, 1000, 10000},
    {"hit_mask_us", 30000, 10000, 50000},
};
enum { SETTINGS_COUNT = sizeof SETTINGS / sizeof *SETTINGS };

static uint64_t now_us(const struct board *board)
{
    return board->port.now_us(board->port.machine);
}

/* Frames without a number. */

static void send(struct board *board, enum wire_kind kind, const uint8_t *body, size_t size)
{
    struct wire_frame frame = {.kind = (uint8_t)kind, .boot_id = board->identity.boot_id, .size = size};
    uint8_t bytes[WIRE_MAX_FRAME];
    memcpy(frame.body, body, size);
    board->port.write(board->port.machine, bytes, wire_write(&frame, bytes));
}

static void send_numbers(struct board *board, enum wire_kind kind, const char *layout, const uint64_t *numbers)
{
    uint8_t body[WIRE_MAX_BODY];
    send(board, kind, body, wire_pack(body, layout, numbers));
}

static void send_log(struct board *board, const char *text)
{
    send(board, WIRE_LOG, (const uint8_t *)text, strlen(text));
}

static size_t put_text(uint8_t *out, const char *text)
{
    size_t length = strlen(text);
    out[0] = (uint8_t)length;
    memcpy(out + 1, text, length);
    return 1 + length;
}

static void send_hello(struct board *board, uint16_t who_id)
{
    const struct board_identity *self = &board->identity;
    uint64_t fixed[] = {
        PROTOCOL_MAJOR,
        PROTOCOL_MINOR,
        self->uid,
        RESET_POWER,
        CAN_ECHO_WHO,
        board->settings.crc,
        RING_SIZE,
        ring_oldest_seq(&board->ring),
        board->ring.next_seq,
        self->stamp_error_us,
    };
    uint64_t error = self->stamp_error_us, id = who_id;
    uint8_t body[WIRE_MAX_BODY];
    size_t size = wire_pack(body, WIRE_LAYOUT_HELLO, fixed);
    size += put_text(body + size, self->firmware);
    size += put_text(body + size, self->name);
    body[size++] = self->channel_count;
    for (uint8_t i = 0; i < self->channel_count; i++) {
        const struct board_channel *channel = &self->channels[i];
        uint64_t row[] = {channel->id, channel->role, channel->index, channel->active_level};
        size += wire_pack(body + size, "bbbb", row);
    }
    for (uint8_t i = 0; i < self->channel_count; i++)
        size += wire_pack(body + size, "h", &error);
    size += wire_pack(body + size, "h", &id);
    send(board, WIRE_HELLO, body, size);
}

static void send_stats(struct board *board)
{
    uint64_t now = now_us(board);
    /* Neither the longest turn nor the free memory is measured here. */
    uint64_t stats[] = {board->reader.bad_frames, board->resends, board->ring.high_water, 0, now / 1000000, 0};
    send_numbers(board, WIRE_STATS, WIRE_LAYOUT_STATS, stats);
    board->stats_said_us = now;
}

/* Frames with a number. */

static void put_state(struct board *board, uint8_t flags)
{
    uint64_t now = now_us(board), levels = 0;
    for (uint8_t i = 0; i < board->identity.channel_count; i++) {
        if (board->contacts[i].state != CONTACT_OPEN)
            levels |= (uint64_t)1 << board->identity.channels[i].id;
    }
    uint64_t state[] = {flags, levels, now};
    ring_put(&board->ring, WIRE_STATE, WIRE_LAYOUT_STATE, state, now);
}

static void put_event(struct board *board, uint8_t place, const struct contact_report *report)
{
    uint64_t flags = (report->is_press ? EVENT_PRESS : 0) | (report->is_glitch ? EVENT_GLITCH : 0);
    uint64_t event[] = {board->identity.channels[place].id, flags, report->t_us, report->bounces, 0};
    ring_put(&board->ring, WIRE_EVENT, WIRE_LAYOUT_EVENT, event, report->t_us);
}

static void step_contact(struct board *board, uint8_t place, uint64_t until_us)
{
    const struct board_settings *settings = &board->settings;
    struct contact_report report;
    if (contact_step(&board->contacts[place], until_us, settings->lock_us, settings->glitch_us, &report))
        put_event(board, place, &report);
}

void board_edge(struct board *board, uint8_t place, bool is_closed, uint64_t t_us)
{
    struct contact *contact = &board->contacts[place];
    if (!board->is_stamping) {
        contact_start(contact, is_closed);
        return;
    }
    step_contact(board, place, t_us);
    struct contact_report report;
    if (contact_edge(contact, is_closed, t_us, &report))
        put_event(board, place, &report);
}

/* Everything stamped up to this moment has its number. */
static uint64_t settled_us(const struct board *board, uint64_t now)
{
    uint64_t first_open_us = now;
    for (uint8_t i = 0; i < board->identity.channel_count; i++) {
        uint64_t doubt_us = contact_doubt(&board->contacts[i]);
        if (doubt_us < first_open_us)
            first_open_us = doubt_us;
    }
    return first_open_us ? first_open_us - 1 : 0;
}

/* What the host asks for. */

static void restart_resending(struct board *board)
{
    board->resend_after_us = RESEND_US;
    board->sent_us = now_us(board);
}

static void acknowledge(struct board *board, uint32_t seq)
{
    if (seq >= board->ring.next_seq) {
        char text[80];
        snprintf(text, sizeof text, "ignored an ACK of %lu: the next number is %lu", (unsigned long)seq,
                 (unsigned long)board->ring.next_seq);
        send_log(board, text);
        return;
    }
    uint16_t dropped = ring_drop_through(&board->ring, seq);
    if (dropped == 0)
        return;
    board->in_flight = dropped < board->in_flight ? (uint16_t)(board->in_flight - dropped) : 0;
    restart_resending(board);
}

static void replay(struct board *board, uint32_t seq)
{
    uint16_t before = ring_count_before(&board->ring, seq);
    if (before < board->in_flight)
        board->in_flight = before;
    restart_resending(board);
}

/* Take all values over, or none where one is out of its range. */
static void configure(struct board *board, const uint64_t *values)
{
    for (size_t i = 0; i < SETTINGS_COUNT; i++) {
        if (values[i] < SETTINGS[i].from || values[i] > SETTINGS[i].to) {
            char text[100];
            snprintf(text, sizeof text, "refused a CONFIG: %s must be %u to %u, not %u", SETTINGS[i].name,
                     SETTINGS[i].from, SETTINGS[i].to, (unsigned)values[i]);
            send_log(board, text);
            return;
        }
    }
    uint8_t body[2 * SETTINGS_COUNT];
    board->settings.lock_us = (uint16_t)values[0];
    board->settings.glitch_us = (uint16_t)values[1];
    board->settings.crc = wire_crc32(body, wire_pack(body, WIRE_LAYOUT_CONFIG, values));
}

static void arm(struct board *board)
{
    if (!board->is_stamping) {
        for (uint8_t i = 0; i < board->identity.channel_count; i++)
            contact_start(&board->contacts[i], board->contacts[i].is_closed);
        board->is_stamping = true;
    }
    board->arm_waits = true;
    send_stats(board);
}

static void stand_by(struct board *board)
{
    board->is_stamping = false;
    board->arm_waits = false;
    for (uint8_t i = 0; i < board->identity.channel_count; i++)
        contact_start(&board->contacts[i], board->contacts[i].is_closed);
    ring_clear(&board->ring);
    board->in_flight = 0;
    send_hello(board, 0);
}

static void answer_ping(struct board *board, uint64_t id, uint64_t read_us)
{
    uint64_t now = now_us(board);
    uint64_t pong[] = {id, read_us, now, settled_us(board, read_us), board->ring.next_seq};
    send_numbers(board, WIRE_PONG, WIRE_LAYOUT_PONG, pong);
}

static const char *layout_of(uint8_t kind)
{
    switch (kind) {
    case WIRE_WHO:
    case WIRE_PING:
        return WIRE_LAYOUT_ID;
    case WIRE_ACK:
    case WIRE_REPLAY:
        return WIRE_LAYOUT_SEQ;
    case WIRE_CONFIG:
        return WIRE_LAYOUT_CONFIG;
    case WIRE_ARM:
    case WIRE_STANDBY:
        return "";
    default:
        return NULL;
    }
}

static void obey(struct board *board, const struct wire_frame *frame, uint64_t read_us)
{
    uint64_t numbers[SETTINGS_COUNT] = {0};
    const char *layout = layout_of(frame->kind);
    /* A host of version 1.0 sends WHO without an id. */
    bool is_whole = layout && (wire_unpack(frame->body, frame->size, layout, numbers) ||
                               (frame->kind == WIRE_WHO && frame->size == 0));
    if (!is_whole) {
        char text[60];
        snprintf(text, sizeof text, "ignored a frame of kind 0x%02x with %u bytes", (unsigned)frame->kind,
                 (unsigned)frame->size);
        send_log(board, text);
        return;
    }
    if (frame->kind == WIRE_WHO) {
        send_hello(board, (uint16_t)numbers[0]);
        return;
    }
    if (frame->kind == WIRE_PING) {
        answer_ping(board, numbers[0], read_us);
        return;
    }
    /* Meant for the board before it started anew: an ACK would delete what was stamped since. */
    if (frame->boot_id != board->identity.boot_id)
        return;
    switch (frame->kind) {
    case WIRE_ACK:
        acknowledge(board, (uint32_t)numbers[0]);
        break;
    case WIRE_REPLAY:
        replay(board, (uint32_t)numbers[0]);
        break;
    case WIRE_CONFIG:
        configure(board, numbers);
        send_hello(board, 0);
        break;
    case WIRE_ARM:
        arm(board);
        break;
    case WIRE_STANDBY:
        stand_by(board);
        break;
    }
}

void board_receive(struct board *board, const uint8_t *data, size_t size, uint64_t read_us)
{
    struct wire_frame frame;
    for (size_t i = 0; i < size; i++) {
        bool is_whole = wire_read(&board->reader, data[i], &frame);
        /* A frame of the board's own kinds is an echo, and no sign of life. */
        if (!is_whole || frame.kind >= WIRE_FROM_BOARD)
            continue;
        if (!board->is_attached) {
            /* Nothing that was written before is sure to have been read. */
            board->is_attached = true;
            board->in_flight = 0;
            restart_resending(board);
        }
        board->heard_us = read_us;
        obey(board, &frame, read_us);
    }
}

/* Send what credit allows, and again what no ACK came for. */
static void pump(struct board *board, uint64_t now)
{
    struct ring *ring = &board->ring;
    if (board->in_flight && now - board->sent_us >= board->resend_after_us) {
        board->in_flight = 0;
        board->resend_after_us *= 2;
        if (board->resend_after_us > RESEND_LIMIT_US)
            board->resend_after_us = RESEND_LIMIT_US;
    }
    /* In one write, so that the host forces its disk once for all of them. */
    uint8_t going[CREDIT * RING_FRAME];
    size_t size = 0;
    if (board->in_flight == 0)
        board->sent_us = now;
    while (board->in_flight < CREDIT && board->in_flight < ring->held) {
        const struct ring_place *place = ring_at(ring, board->in_flight++);
        memcpy(going + size, place->frame, place->length);
        size += place->length;
        if (place->seq < board->fresh_seq)
            board->resends++;
        else
            board->fresh_seq = place->seq + 1;
    }
    if (size)
        board->port.write(board->port.machine, going, size);
}

void board_step(struct board *board)
{
    uint64_t now = now_us(board);
    if (board->is_stamping) {
        for (uint8_t i = 0; i < board->identity.channel_count; i++)
            step_contact(board, i, now);
    }
    if (board->arm_waits && ring_has_room(&board->ring)) {
        board->arm_waits = false;
        put_state(board, STATE_ARMED);
    }
    if (now > board->heard_us + ATTACHED_US)
        board->is_attached = false;
    if (!board->is_attached)
        return;
    pump(board, now);
    if (now - board->stats_said_us >= STATS_US)
        send_stats(board);
}

void board_start(struct board *board, const struct board_identity *identity, const struct board_port *port,
                 const bool *closed)
{
    uint64_t usual[SETTINGS_COUNT];
    for (size_t i = 0; i < SETTINGS_COUNT; i++)
        usual[i] = SETTINGS[i].usual;
    memset(board, 0, sizeof *board);
    board->identity = *identity;
    board->port = *port;
    board->is_stamping = true;
    board->fresh_seq = 1;
    configure(board, usual);
    restart_resending(board);
    ring_start(&board->ring, identity->boot_id);
    for (uint8_t i = 0; i < identity->channel_count; i++)
        contact_start(&board->contacts[i], closed[i]);
    put_state(board, 0);
    send_hello(board, 0);
}
