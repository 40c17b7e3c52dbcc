/* Stands between a program and its disk (LD_PRELOAD): records what would outlast a power loss, and can kill the program at
 * any of its disk calls.
 *
 *   DISK_SHIM_ROOT     only files below this directory count
 *   DISK_SHIM_LOG      a directory: `log` gets a line for every event, `blob.N` the content of a synced file
 *   DISK_SHIM_KILL_AT  the number of the disk call at which the program is killed with SIGKILL (from 1)
 *
 *   N INODE            a file or directory was created: nothing of it is on disk
 *   F INODE NUMBER     a file was synced: blob.NUMBER is what is on disk of it
 *   D INODE COUNT      a directory was synced: COUNT lines with an inode, `d` or `f`, and a name follow
 *   A TEXT             the program printed a line: what it acknowledges
 *
 * Nothing but what was synced outlasts the power loss: no order of other writes is assumed. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long blobs, calls;

#define REAL(name) \
    static typeof(&name) real; \
    if (!real) real = (typeof(&name))dlsym(RTLD_NEXT, #name)

static const char *root(void) { return getenv("DISK_SHIM_ROOT"); }

static int below_root(const char *path) {
    const char *r = root();
    return r && path && strncmp(path, r, strlen(r)) == 0;
}

static int fd_below_root(int fd) {
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(link, path, sizeof path - 1);
    if (n < 0) return 0;
    path[n] = 0;
    return below_root(path);
}

static void call(void) {
    const char *at = getenv("DISK_SHIM_KILL_AT");
    if (at && __sync_add_and_fetch(&calls, 1) == atol(at)) {
        kill(getpid(), SIGKILL);
        pause();
    }
}

static void log_text(const char *text, size_t length) {
    static int fd = -1;
    const char *dir = getenv("DISK_SHIM_LOG");
    if (!dir) return;
    if (fd < 0) {
        char path[4096];
        snprintf(path, sizeof path, "%s/log", dir);
        fd = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    }
    syscall(SYS_write, fd, text, length);
}

static void log_line(const char *format, ...) {
    char line[4200];
    va_list list;
    va_start(list, format);
    int n = vsnprintf(line, sizeof line, format, list);
    va_end(list);
    if (n > 0) log_text(line, (size_t)n);
}

/* Copies what is written of a file; holes stay holes. */
static void copy_file(int from, const char *to, off_t size) {
    static char buffer[1 << 16];
    int out = syscall(SYS_openat, AT_FDCWD, to, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", from);
    int in = syscall(SYS_openat, AT_FDCWD, link, O_RDONLY, 0);
    off_t at = 0;
    while (at < size) {
        off_t data = lseek(in, at, SEEK_DATA);
        if (data < 0) break;
        off_t hole = lseek(in, data, SEEK_HOLE);
        lseek(in, data, SEEK_SET);
        lseek(out, data, SEEK_SET);
        for (off_t left = hole - data; left > 0;) {
            ssize_t n = read(in, buffer, left < (off_t)sizeof buffer ? (size_t)left : sizeof buffer);
            if (n <= 0) break;
            syscall(SYS_write, out, buffer, n);
            left -= n;
        }
        at = hole;
    }
    syscall(SYS_ftruncate, out, size);
    syscall(SYS_close, in);
    syscall(SYS_close, out);
}

static void synced(int fd) {
    struct stat st;
    const char *dir = getenv("DISK_SHIM_LOG");
    if (!dir || !fd_below_root(fd) || fstat(fd, &st)) return;
    pthread_mutex_lock(&lock);
    if (S_ISDIR(st.st_mode)) {
        char link[64], entries[1 << 16];
        snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
        DIR *d = opendir(link);
        struct dirent *e;
        size_t used = 0;
        int count = 0;
        while (d && (e = readdir(d)) && used < sizeof entries - 600) {
            if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, "..")) continue;
            used += snprintf(entries + used, sizeof entries - used, "%lu %c %s\n", (unsigned long)e->d_ino,
                             e->d_type == DT_DIR ? 'd' : 'f', e->d_name);
            count++;
        }
        if (d) closedir(d);
        log_line("D %lu %d\n", (unsigned long)st.st_ino, count);
        log_text(entries, used);
    } else {
        char path[4096];
        snprintf(path, sizeof path, "%s/blob.%ld", dir, blobs);
        copy_file(fd, path, st.st_size);
        log_line("F %lu %ld\n", (unsigned long)st.st_ino, blobs++);
    }
    pthread_mutex_unlock(&lock);
}

int fsync(int fd) {
    REAL(fsync);
    if (fd_below_root(fd)) call();
    int result = real(fd);
    if (!result) synced(fd);
    return result;
}

int fdatasync(int fd) {
    REAL(fdatasync);
    if (fd_below_root(fd)) call();
    int result = real(fd);
    if (!result) synced(fd);
    return result;
}

ssize_t write(int fd, const void *bytes, size_t n) {
    REAL(write);
    if (fd == 1) {
        pthread_mutex_lock(&lock);
        log_line("A %.*s", (int)n, (const char *)bytes);
        pthread_mutex_unlock(&lock);
    } else if (root() && fd_below_root(fd)) call();
    return real(fd, bytes, n);
}

ssize_t pwrite64(int fd, const void *bytes, size_t n, off64_t at) {
    REAL(pwrite64);
    if (root() && fd_below_root(fd)) call();
    return real(fd, bytes, n, at);
}

int ftruncate64(int fd, off64_t size) {
    REAL(ftruncate64);
    if (fd_below_root(fd)) call();
    return real(fd, size);
}

static void created(const char *path) {
    struct stat st;
    if (stat(path, &st)) return;
    pthread_mutex_lock(&lock);
    log_line("N %lu\n", (unsigned long)st.st_ino);
    pthread_mutex_unlock(&lock);
}

int open64(const char *path, int flags, ...) {
    REAL(open64);
    mode_t mode = 0;
    if (flags & O_CREAT) {
        va_list list;
        va_start(list, flags);
        mode = va_arg(list, mode_t);
        va_end(list);
    }
    struct stat st;
    int is_new = (flags & O_CREAT) && below_root(path) && stat(path, &st);
    if (is_new) call();
    int fd = real(path, flags, mode);
    if (is_new && fd >= 0) created(path);
    return fd;
}

int mkdir(const char *path, mode_t mode) {
    REAL(mkdir);
    if (below_root(path)) call();
    int result = real(path, mode);
    if (!result && below_root(path)) created(path);
    return result;
}

int rename(const char *from, const char *to) {
    REAL(rename);
    if (below_root(to)) call();
    return real(from, to);
}

int unlink(const char *path) {
    REAL(unlink);
    if (below_root(path)) call();
    return real(path);
}

int unlinkat(int dir, const char *path, int flags) {
    REAL(unlinkat);
    if (below_root(path) || (dir != AT_FDCWD && fd_below_root(dir))) call();
    return real(dir, path, flags);
}

int rmdir(const char *path) {
    REAL(rmdir);
    if (below_root(path)) call();
    return real(path);
}
