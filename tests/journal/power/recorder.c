/* Records what a process does to the files of one folder, in the order in which it does it, for power.py to cut the
 * power in. Built as a shared object and loaded with LD_PRELOAD; POWER_FOLDER is the folder, POWER_TRACE the record.
 *
 * A line each: C inode name (made)   W inode offset length, then the bytes   T inode length   S inode (synced)
 * N (names synced)   R name name (renamed)   L name name (linked)   U name (removed)
 * SQLite's shared memory is left out: it is never synced, and made anew after a crash.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST 4096 /* descriptors */
#define REAL(type, name, ...) ((type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name))

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static const char *folder;
static size_t folder_length;
static int trace = -1;
static char kind[MOST]; /* 'f' a file in the folder, 'd' the folder */

__attribute__((constructor)) static void begin(void) {
    folder = getenv("POWER_FOLDER");
    const char *path = getenv("POWER_TRACE");
    if (!folder || !path) return;
    folder_length = strlen(folder);
    trace = REAL(int, open, const char *, int, ...)(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

static void put(const void *data, size_t length) {
    while (length) {
        ssize_t done = REAL(ssize_t, write, int, const void *, size_t)(trace, data, length);
        if (done <= 0) abort();
        data = (const char *)data + done;
        length -= (size_t)done;
    }
}

static void say(const char *format, ...) {
    char line[8192];
    va_list values;
    va_start(values, format);
    int length = vsnprintf(line, sizeof line, format, values);
    va_end(values);
    put(line, (size_t)length);
}

/* The name of a path within the folder; NULL for all others. */
static const char *name_of(const char *path) {
    if (trace < 0 || strncmp(path, folder, folder_length) || path[folder_length] != '/') return NULL;
    const char *name = path + folder_length + 1;
    size_t length = strlen(name);
    if (!length || strchr(name, '/') || (length > 4 && !strcmp(name + length - 4, "-shm"))) return NULL;
    return name;
}

static int watched(int descriptor) { return trace >= 0 && descriptor >= 0 && descriptor < MOST ? kind[descriptor] : 0; }

static unsigned long inode(int descriptor) {
    struct stat status;
    return fstat(descriptor, &status) ? 0 : (unsigned long)status.st_ino;
}

static int opened(const char *path, int flags, int mode) {
    const char *name = name_of(path);
    pthread_mutex_lock(&turn);
    int was_there = name && !access(path, F_OK);
    int descriptor = REAL(int, open, const char *, int, ...)(path, flags, mode);
    if (descriptor >= 0 && descriptor < MOST && trace >= 0) {
        kind[descriptor] = name ? 'f' : !strcmp(path, folder) ? 'd' : 0;
        if (name && !was_there) say("C %lu %s\n", inode(descriptor), name);
        if (name && was_there && flags & O_TRUNC) say("T %lu 0\n", inode(descriptor));
    }
    pthread_mutex_unlock(&turn);
    return descriptor;
}

#define MODE(last) \
    va_list values; \
    va_start(values, last); \
    int mode = last & (O_CREAT | __O_TMPFILE) ? va_arg(values, int) : 0; \
    va_end(values)

int open(const char *path, int flags, ...) { MODE(flags); return opened(path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE(flags); return opened(path, flags, mode); }

int close(int descriptor) {
    if (watched(descriptor)) kind[descriptor] = 0;
    return REAL(int, close, int)(descriptor);
}

static void wrote(int descriptor, const void *data, ssize_t length, off_t offset) {
    say("W %lu %lld %zd\n", inode(descriptor), (long long)offset, length);
    put(data, (size_t)length);
}

ssize_t write(int descriptor, const void *data, size_t length) {
    if (watched(descriptor) != 'f') return REAL(ssize_t, write, int, const void *, size_t)(descriptor, data, length);
    pthread_mutex_lock(&turn);
    ssize_t done = REAL(ssize_t, write, int, const void *, size_t)(descriptor, data, length);
    if (done > 0) wrote(descriptor, data, done, lseek(descriptor, 0, SEEK_CUR) - done);
    pthread_mutex_unlock(&turn);
    return done;
}

static ssize_t wrote_at(int descriptor, const void *data, size_t length, off_t offset) {
    if (watched(descriptor) != 'f')
        return REAL(ssize_t, pwrite, int, const void *, size_t, off_t)(descriptor, data, length, offset);
    pthread_mutex_lock(&turn);
    ssize_t done = REAL(ssize_t, pwrite, int, const void *, size_t, off_t)(descriptor, data, length, offset);
    if (done > 0) wrote(descriptor, data, done, offset);
    pthread_mutex_unlock(&turn);
    return done;
}

ssize_t pwrite(int d, const void *data, size_t length, off_t offset) { return wrote_at(d, data, length, offset); }
ssize_t pwrite64(int d, const void *data, size_t length, off64_t offset) { return wrote_at(d, data, length, offset); }

/* What copies within the kernel is refused: Python then reads and writes. */
ssize_t sendfile(int to, int from, off_t *at, size_t count) { (void)to, (void)from, (void)at, (void)count; errno = ENOSYS; return -1; }
ssize_t sendfile64(int to, int from, off64_t *at, size_t count) { (void)to, (void)from, (void)at, (void)count; errno = ENOSYS; return -1; }

static int cut(int descriptor, off_t length) {
    pthread_mutex_lock(&turn);
    int result = REAL(int, ftruncate, int, off_t)(descriptor, length);
    if (!result && watched(descriptor) == 'f') say("T %lu %lld\n", inode(descriptor), (long long)length);
    pthread_mutex_unlock(&turn);
    return result;
}

int ftruncate(int descriptor, off_t length) { return cut(descriptor, length); }
int ftruncate64(int descriptor, off64_t length) { return cut(descriptor, length); }

static void synced(int descriptor) {
    if (watched(descriptor) == 'f') say("S %lu\n", inode(descriptor));
    if (watched(descriptor) == 'd') say("N\n");
}

int fsync(int descriptor) {
    pthread_mutex_lock(&turn);
    synced(descriptor); /* no need to wait for a real disk */
    pthread_mutex_unlock(&turn);
    return 0;
}

int fdatasync(int descriptor) { return fsync(descriptor); }

static int renamed(const char *what, const char *from, const char *to, int result) {
    const char *one = name_of(from), *two = name_of(to);
    if (!result && one && two) say("%s %s %s\n", what, one, two);
    return result;
}

int rename(const char *from, const char *to) {
    pthread_mutex_lock(&turn);
    int result = renamed("R", from, to, REAL(int, rename, const char *, const char *)(from, to));
    pthread_mutex_unlock(&turn);
    return result;
}

int link(const char *from, const char *to) {
    pthread_mutex_lock(&turn);
    int result = renamed("L", from, to, REAL(int, link, const char *, const char *)(from, to));
    pthread_mutex_unlock(&turn);
    return result;
}

int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags) {
    pthread_mutex_lock(&turn);
    int result = REAL(int, linkat, int, const char *, int, const char *, int)(from_folder, from, to_folder, to, flags);
    renamed("L", from, to, result);
    pthread_mutex_unlock(&turn);
    return result;
}

int unlink(const char *path) {
    pthread_mutex_lock(&turn);
    int result = REAL(int, unlink, const char *)(path);
    if (!result && name_of(path)) say("U %s\n", name_of(path));
    pthread_mutex_unlock(&turn);
    return result;
}
