/* One contact: its press is reported with the first edge, its release once it is quiet ("Contacts" in PROTOCOL.md). */
#ifndef CONTACT_H
#define CONTACT_H

#include <stdbool.h>
#include <stdint.h>

enum contact_state {
    CONTACT_OPEN,
    CONTACT_LOCKED,  /* pressed, and ignored for the lock time */
    CONTACT_HELD,
    CONTACT_LEAVING, /* open, but not yet for long enough */
};

struct contact {
    enum contact_state state;
    bool is_closed;       /* what the pin was at the last edge */
    bool was_held;        /* past the lock time: then its release is no glitch */
    uint64_t pressed_us;
    uint64_t left_us;     /* the stamp that the release will have */
    uint64_t last_us;     /* of the last edge */
    uint16_t bounces;
};

struct contact_report {
    bool is_press;
    bool is_glitch;
    uint64_t t_us;
    uint16_t bounces;
};

/* Begin with the level that the pin has, which is not reported. */
void contact_start(struct contact *contact, bool is_closed);

/* An edge, stamped when it happened; true where it is a press, which then stands in `report`. */
bool contact_edge(struct contact *contact, bool is_closed, uint64_t t_us, struct contact_report *report);

/* What has become due by `now_us`, with every edge before it taken in; true where that is a release. */
bool contact_step(struct contact *contact, uint64_t now_us, uint16_t lock_us, uint16_t glitch_us,
                  struct contact_report *report);

/* The earliest stamp that a report still to come may have; UINT64_MAX when none is under way. */
uint64_t contact_doubt(const struct contact *contact);

#endif
