/*
 * Shows what this implementation makes of frames, to compare it with ../../firmware_protocol/vectors/golden.json.
 * Each line of input is one task, each line of output its answer:
 *
 *   read HEX                          the frames among the bytes: "KIND BOOT SEQ BODY", then "bad COUNT"
 *   numbers LAYOUT HEX                the numbers in a body
 *   write KIND BOOT SEQ LAYOUT N...   the frame whose body has these numbers, "-" for no layout
 *   tail KIND BOOT SEQ LAYOUT N... HEX  the same, with the bytes in HEX behind the numbers
 *   contact LOCK GLITCH US LEVEL...   what is reported of these edges ten seconds after the last: "press US" or
 *                                     "release US BOUNCES GLITCH"
 */
#include "contact.h"
#include "wire.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_SIZE = 8192, LONG_AFTER_US = 10000000 };

static void print_hex(const uint8_t *data, size_t size)
{
    for (size_t i = 0; i < size; i++)
        printf("%02x", data[i]);
}

static size_t bytes_of_hex(const char *hex, uint8_t *out, size_t limit)
{
    size_t size = 0;
    unsigned byte;
    for (; size < limit && sscanf(hex, "%2x", &byte) == 1; hex += 2)
        out[size++] = (uint8_t)byte;
    return size;
}

static const char *next_word(void)
{
    const char *word = strtok(NULL, " \n");
    return word ? word : "";
}

static uint64_t next_number(void)
{
    return strtoull(next_word(), NULL, 10);
}

static void read_task(void)
{
    static uint8_t data[LINE_SIZE / 2];
    struct wire_reader reader = {0};
    struct wire_frame frame;
    size_t size = bytes_of_hex(next_word(), data, sizeof data);
    for (size_t i = 0; i < size; i++) {
        if (!wire_read(&reader, data[i], &frame))
            continue;
        printf("%u %u %" PRIu32 " ", (unsigned)frame.kind, (unsigned)frame.boot_id, frame.seq);
        print_hex(frame.body, frame.size);
        printf(" ");
    }
    printf("bad %" PRIu32, reader.bad_frames);
}

static void numbers_task(void)
{
    const char *layout = next_word();
    uint8_t body[WIRE_MAX_BODY];
    uint64_t numbers[16];
    size_t size = bytes_of_hex(next_word(), body, sizeof body);
    if (!wire_unpack(body, size, layout, numbers)) {
        printf("too short");
        return;
    }
    for (size_t i = 0; layout[i]; i++)
        printf("%" PRIu64 " ", numbers[i]);
}

static void write_task(bool has_tail)
{
    struct wire_frame frame = {0};
    uint64_t numbers[16];
    uint8_t bytes[WIRE_MAX_FRAME];
    frame.kind = (uint8_t)next_number();
    frame.boot_id = (uint16_t)next_number();
    frame.seq = (uint32_t)next_number();
    const char *layout = next_word();
    if (strcmp(layout, "-") == 0)
        layout = "";
    for (size_t i = 0; layout[i]; i++)
        numbers[i] = next_number();
    frame.size = wire_pack(frame.body, layout, numbers);
    if (has_tail)
        frame.size += bytes_of_hex(next_word(), frame.body + frame.size, sizeof frame.body - frame.size);
    print_hex(bytes, wire_write(&frame, bytes));
}

static void print_report(const struct contact_report *report)
{
    if (report->is_press)
        printf("press %" PRIu64 " ", report->t_us);
    else
        printf("release %" PRIu64 " %u %d ", report->t_us, (unsigned)report->bounces, report->is_glitch);
}

static void contact_task(void)
{
    struct contact contact;
    struct contact_report report;
    uint16_t lock_us = (uint16_t)next_number(), glitch_us = (uint16_t)next_number();
    uint64_t last_us = 0;
    contact_start(&contact, false);
    for (const char *word = next_word(); *word; word = next_word()) {
        last_us = strtoull(word, NULL, 10);
        bool is_closed = next_number() != 0;
        if (contact_step(&contact, last_us, lock_us, glitch_us, &report))
            print_report(&report);
        if (contact_edge(&contact, is_closed, last_us, &report))
            print_report(&report);
    }
    if (contact_step(&contact, last_us + LONG_AFTER_US, lock_us, glitch_us, &report))
        print_report(&report);
}

int main(void)
{
    static char line[LINE_SIZE];
    while (fgets(line, sizeof line, stdin)) {
        const char *task = strtok(line, " \n");
        if (!task)
            continue;
        if (strcmp(task, "read") == 0)
            read_task();
        else if (strcmp(task, "numbers") == 0)
            numbers_task();
        else if (strcmp(task, "contact") == 0)
            contact_task();
        else
            write_task(strcmp(task, "tail") == 0);
        printf("\n");
        fflush(stdout);
    }
    return EXIT_SUCCESS;
}
