#include "contact.h"

#include <string.h>

void contact_start(struct contact *contact, bool is_closed)
{
    memset(contact, 0, sizeof *contact);
    contact->is_closed = is_closed;
    contact->state = is_closed ? CONTACT_HELD : CONTACT_OPEN;
    contact->was_held = is_closed;
}

bool contact_edge(struct contact *contact, bool is_closed, uint64_t t_us, struct contact_report *report)
{
    if (is_closed == contact->is_closed)
        return false;
    contact->is_closed = is_closed;
    contact->last_us = t_us;
    switch (contact->state) {
    case CONTACT_OPEN:
        contact->state = CONTACT_LOCKED;
        contact->was_held = false;
        contact->pressed_us = t_us;
        contact->bounces = 0;
        *report = (struct contact_report){.is_press = true, .t_us = t_us};
        return true;
    case CONTACT_HELD:
        contact->state = CONTACT_LEAVING;
        contact->left_us = t_us;
        return false;
    case CONTACT_LOCKED:
        /* Should it stay open, then it was let go here. */
        if (!is_closed)
            contact->left_us = t_us;
        break;
    case CONTACT_LEAVING:
        break;
    }
    if (contact->bounces < UINT16_MAX)
        contact->bounces++;
    return false;
}

static void hold(struct contact *contact)
{
    contact->state = CONTACT_HELD;
    contact->was_held = true;
}

bool contact_step(struct contact *contact, uint64_t now_us, uint16_t lock_us, uint16_t glitch_us,
                  struct contact_report *report)
{
    if (contact->state == CONTACT_LOCKED && now_us - contact->pressed_us >= lock_us) {
        if (contact->is_closed) {
            hold(contact);
        } else {
            contact->state = CONTACT_LEAVING;
            /* Its last opening was the release, and no bounce. */
            contact->bounces--;
        }
    }
    if (contact->state != CONTACT_LEAVING || now_us - contact->last_us < lock_us)
        return false;
    if (contact->is_closed) {
        hold(contact);
        if (contact->bounces < UINT16_MAX)
            contact->bounces++;
        return false;
    }
    contact->state = CONTACT_OPEN;
    *report = (struct contact_report){
        .is_glitch = !contact->was_held && contact->left_us - contact->pressed_us <= glitch_us,
        .t_us = contact->left_us,
        .bounces = contact->bounces,
    };
    return true;
}

uint64_t contact_doubt(const struct contact *contact)
{
    bool may_be_released = contact->state == CONTACT_LEAVING || (contact->state == CONTACT_LOCKED && !contact->is_closed);
    return may_be_released ? contact->left_us : UINT64_MAX;
}
