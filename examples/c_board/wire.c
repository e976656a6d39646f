#include "wire.h"

#include <string.h>

enum { COBS_LONGEST = 254 };

uint32_t wire_crc32(const uint8_t *data, size_t size)
{
    uint32_t crc = 0xffffffff;
    for (size_t i = 0; i < size; i++) {
        crc ^= data[i];
        for (int bit = 0; bit < 8; bit++)
            crc = (crc >> 1) ^ ((crc & 1) ? 0xedb88320 : 0);
    }
    return ~crc;
}

static size_t bytes_of(char letter)
{
    switch (letter) {
    case 'b':
        return 1;
    case 'h':
        return 2;
    case 'w':
        return 4;
    default:
        return 8;
    }
}

size_t wire_pack(uint8_t *out, const char *layout, const uint64_t *numbers)
{
    size_t size = 0;
    for (; *layout; layout++, numbers++) {
        for (size_t i = 0; i < bytes_of(*layout); i++)
            out[size++] = (uint8_t)(*numbers >> (8 * i));
    }
    return size;
}

bool wire_unpack(const uint8_t *body, size_t size, const char *layout, uint64_t *numbers)
{
    size_t at = 0;
    for (; *layout; layout++, numbers++) {
        size_t bytes = bytes_of(*layout);
        if (at + bytes > size)
            return false;
        *numbers = 0;
        for (size_t i = 0; i < bytes; i++)
            *numbers |= (uint64_t)body[at++] << (8 * i);
    }
    return true;
}

/* Write `data` without a zero; return how many bytes that took. */
static size_t cobs_write(const uint8_t *data, size_t size, uint8_t *out)
{
    size_t code_at = 0, end = 1;
    for (size_t i = 0; i < size; i++) {
        if (data[i] != 0)
            out[end++] = data[i];
        bool is_full = end - code_at - 1 == COBS_LONGEST;
        /* A last piece of 254 ends without the zero that every other piece stands for. */
        if (data[i] == 0 || (is_full && i + 1 < size)) {
            out[code_at] = (uint8_t)(end - code_at);
            code_at = end++;
        }
    }
    out[code_at] = (uint8_t)(end - code_at);
    return end;
}

/* Write what `run` was made of to `out`; return its length, or 0 for bytes that COBS does not make. */
static size_t cobs_read(const uint8_t *run, size_t size, uint8_t *out)
{
    size_t at = 0, end = 0;
    while (at < size) {
        size_t code = run[at], after = at + code;
        if (code == 0 || after > size)
            return 0;
        memcpy(out + end, run + at + 1, code - 1);
        end += code - 1;
        if (code != COBS_LONGEST + 1 && after < size)
            out[end++] = 0;
        at = after;
    }
    return end;
}

size_t wire_write(const struct wire_frame *frame, uint8_t *out)
{
    uint8_t plain[WIRE_HEADER + WIRE_MAX_BODY + WIRE_CRC];
    uint64_t header[] = {frame->kind, frame->boot_id, frame->seq};
    size_t size = wire_pack(plain, "bhw", header);
    memcpy(plain + size, frame->body, frame->size);
    size += frame->size;
    uint64_t crc = wire_crc32(plain, size);
    size += wire_pack(plain + size, "w", &crc);

    out[0] = 0;
    size_t end = 1 + cobs_write(plain, size, out + 1);
    out[end++] = 0;
    return end;
}

static bool frame_of(const uint8_t *run, size_t length, struct wire_frame *frame)
{
    uint8_t plain[WIRE_MAX_RUN];
    size_t size = cobs_read(run, length, plain);
    if (size < WIRE_HEADER + WIRE_CRC)
        return false;
    size -= WIRE_CRC;
    uint64_t crc, header[3];
    wire_unpack(plain + size, WIRE_CRC, "w", &crc);
    if (crc != wire_crc32(plain, size))
        return false;
    wire_unpack(plain, size, "bhw", header);
    frame->kind = (uint8_t)header[0];
    frame->boot_id = (uint16_t)header[1];
    frame->seq = (uint32_t)header[2];
    frame->size = size - WIRE_HEADER;
    memcpy(frame->body, plain + WIRE_HEADER, frame->size);
    return true;
}

bool wire_read(struct wire_reader *reader, uint8_t byte, struct wire_frame *frame)
{
    if (byte != 0) {
        if (reader->length == WIRE_MAX_RUN)
            reader->too_long = true;
        else
            reader->run[reader->length++] = byte;
        return false;
    }
    size_t length = reader->length;
    bool too_long = reader->too_long;
    reader->length = 0;
    reader->too_long = false;
    if (length == 0)
        return false;
    if (!too_long && frame_of(reader->run, length, frame))
        return true;
    reader->bad_frames++;
    return false;
}
