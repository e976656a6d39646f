/*
 * The board on a pseudo-terminal, to try it without any hardware. It prints the port's name and then does what it reads,
 * a line each: "press 3" or "release 3" a contact, by the channel's id; "wait 700" milliseconds before the next line.
 * It ends with its input.
 *
 * A real board has this file only to replace it: a counter of microseconds, its pins, and the bytes of its serial port.
 */
#define _XOPEN_SOURCE 600

#include "board.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

enum { TURN_MS = 1, INPUT_SIZE = 4096, WORD_SIZE = 64 };

static const struct board_channel CHANNELS[] = {
    {.id = 0, .role = BOARD_ROLE_TRIGGER, .index = 0},
    {.id = 2, .role = BOARD_ROLE_ZONE, .index = 1},
    {.id = 3, .role = BOARD_ROLE_ZONE, .index = 2},
    {.id = 4, .role = BOARD_ROLE_ZONE, .index = 3},
};
enum { CHANNEL_COUNT = sizeof CHANNELS / sizeof *CHANNELS };

static uint64_t monotonic_us(void *machine)
{
    struct timespec now;
    (void)machine;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

/* What finds no room is lost, as on a cable that nobody reads: the ring has it still. */
static void write_to_port(void *machine, const uint8_t *data, size_t size)
{
    while (size) {
        ssize_t written = write(*(int *)machine, data, size);
        if (written < 0)
            return;
        data += written;
        size -= (size_t)written;
    }
}

static int open_port(void)
{
    int port = posix_openpt(O_RDWR | O_NOCTTY);
    if (port < 0 || grantpt(port) || unlockpt(port))
        return -1;
    /* Both ends stay open here: otherwise a host that leaves would take the port with it. */
    int other_end = open(ptsname(port), O_RDWR | O_NOCTTY);
    struct termios raw;
    if (other_end < 0 || tcgetattr(other_end, &raw))
        return -1;
    raw.c_iflag &= ~(tcflag_t)(BRKINT | ICRNL | INLCR | IGNCR | INPCK | ISTRIP | IXON);
    raw.c_oflag &= ~(tcflag_t)OPOST;
    raw.c_cflag |= CS8;
    raw.c_lflag &= ~(tcflag_t)(ECHO | ICANON | IEXTEN | ISIG);
    if (tcsetattr(other_end, TCSANOW, &raw) || fcntl(port, F_SETFL, O_NONBLOCK))
        return -1;
    return port;
}

/* Lines that were read and not yet obeyed: none is while `waits_until_us` is to come. */
struct script {
    char data[INPUT_SIZE];
    size_t length;
    uint64_t waits_until_us;
};

static bool is_waiting(const struct script *script)
{
    return monotonic_us(NULL) < script->waits_until_us;
}

static void obey_line(struct board *board, struct script *script, const char *line)
{
    char word[WORD_SIZE];
    unsigned number;
    if (sscanf(line, "%63s %u", word, &number) != 2) {
        fprintf(stderr, "not \"press ID\", \"release ID\" or \"wait MS\": %s\n", line);
        return;
    }
    if (strcmp(word, "wait") == 0) {
        script->waits_until_us = monotonic_us(NULL) + (uint64_t)number * 1000;
        return;
    }
    for (uint8_t i = 0; i < CHANNEL_COUNT; i++) {
        if (CHANNELS[i].id == number)
            board_edge(board, i, strcmp(word, "press") == 0, monotonic_us(NULL));
    }
}

static void obey_lines(struct board *board, struct script *script)
{
    while (!is_waiting(script)) {
        char *end = memchr(script->data, '\n', script->length);
        if (!end)
            return;
        *end = '\0';
        obey_line(board, script, script->data);
        size_t taken = (size_t)(end - script->data) + 1;
        script->length -= taken;
        memmove(script->data, script->data + taken, script->length);
    }
}

/* False at the end of the input, or for a line that is too long. */
static bool read_script(struct script *script)
{
    size_t room = INPUT_SIZE - script->length;
    ssize_t count = room ? read(STDIN_FILENO, script->data + script->length, room) : 0;
    if (count > 0)
        script->length += (size_t)count;
    return count > 0;
}

static uint16_t random_boot_id(void)
{
    uint16_t id = 0;
    FILE *source = fopen("/dev/urandom", "rb");
    while (source && id == 0 && fread(&id, sizeof id, 1, source) == 1)
        ;
    if (source)
        fclose(source);
    return id ? id : 1;
}

int main(int argc, char **argv)
{
    int port_fd = open_port();
    if (port_fd < 0) {
        perror("no pseudo-terminal");
        return EXIT_FAILURE;
    }
    struct board_identity identity = {
        .uid = argc > 1 ? strtoull(argv[1], NULL, 16) : 1,
        .boot_id = random_boot_id(),
        /* A stamp is taken when this loop reads the line. */
        .stamp_error_us = 2000,
        .firmware = "example in C",
        .name = "pseudo-terminal",
        .channels = CHANNELS,
        .channel_count = CHANNEL_COUNT,
    };
    struct board_port port = {.machine = &port_fd, .now_us = monotonic_us, .write = write_to_port};
    static const bool all_open[CHANNEL_COUNT];
    static struct board board;
    board_start(&board, &identity, &port, all_open);
    printf("%s\n", ptsname(port_fd));
    fflush(stdout);

    static struct script script;
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN}, host = {.fd = port_fd, .events = POLLIN};
    for (;;) {
        if (poll(&host, 1, TURN_MS) < 0 && errno != EINTR)
            return EXIT_FAILURE;
        if (host.revents) {
            uint8_t data[256];
            ssize_t count = read(port_fd, data, sizeof data);
            if (count > 0)
                board_receive(&board, data, (size_t)count, monotonic_us(NULL));
        }
        obey_lines(&board, &script);
        if (!is_waiting(&script) && poll(&input, 1, 0) > 0 && !read_script(&script))
            return EXIT_SUCCESS;
        board_step(&board);
    }
}
