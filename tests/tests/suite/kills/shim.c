/* What a process does to the files of a folder, counted: after the n-th time it is killed, or from the n-th write on the
 * disk is full. Loaded before the C library (LD_PRELOAD); the folder, n and which of the two come by the environment.
 * A rename happens between two of these points. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int points, writes;

static int inside(const char *path)
{
    const char *folder = getenv("KILLS_FOLDER");
    return folder != NULL && strncmp(path, folder, strlen(folder)) == 0;
}

static int is_inside(int fd)
{
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    const ssize_t length = readlink(link, path, sizeof path - 1);
    path[length > 0 ? length : 0] = 0;
    return inside(path);
}

static int number(const char *name)
{
    const char *text = getenv(name);
    return text != NULL ? atoi(text) : INT_MAX;
}

static void point(void)
{
    if (__atomic_add_fetch(&points, 1, __ATOMIC_SEQ_CST) == number("KILLS_AT")) {
        kill(getpid(), SIGKILL);
        pause();
    }
}

static int open_and_count(int (*next)(const char *, int, ...), const char *path, int flags, int mode)
{
    const int fd = next(path, flags, mode);
    if (inside(path)) {
        point();
    }
    return fd;
}

#define OPEN(name)                                                                                                     \
    int name(const char *path, int flags, ...)                                                                         \
    {                                                                                                                  \
        va_list rest;                                                                                                  \
        va_start(rest, flags);                                                                                         \
        const int mode = flags & O_CREAT ? va_arg(rest, int) : 0;                                                      \
        va_end(rest);                                                                                                  \
        return open_and_count(NEXT(name), path, flags, mode);                                                          \
    }
OPEN(open)
OPEN(open64)

ssize_t write(int fd, const void *bytes, size_t count)
{
    if (!is_inside(fd)) {
        return NEXT(write)(fd, bytes, count);
    }
    if (__atomic_add_fetch(&writes, 1, __ATOMIC_SEQ_CST) >= number("KILLS_FULL")) {
        errno = ENOSPC;
        return -1;
    }
    const ssize_t written = NEXT(write)(fd, bytes, count);
    point();
    return written;
}

#define ON_FILE(name, parameters, arguments)                                                                           \
    int name parameters                                                                                                \
    {                                                                                                                  \
        const int counts = is_inside(fd), result = NEXT(name) arguments;                                               \
        if (counts) {                                                                                                  \
            point();                                                                                                   \
        }                                                                                                              \
        return result;                                                                                                 \
    }
ON_FILE(fsync, (int fd), (fd))
ON_FILE(close, (int fd), (fd))
ON_FILE(ftruncate64, (int fd, off64_t length), (fd, length))

int unlink(const char *path)
{
    const int result = NEXT(unlink)(path);
    if (inside(path)) {
        point();
    }
    return result;
}

int mkdir(const char *path, mode_t mode)
{
    const int result = NEXT(mkdir)(path, mode);
    if (inside(path)) {
        point();
    }
    return result;
}
