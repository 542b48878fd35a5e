/* Preloaded into a process (LD_PRELOAD), makes its calls on the files of one database fail, or notes them down.

   BAD_FILES           the path of the database; its files are those whose path begins with it
   BAD_FILES_CONTROL   a file of the size of struct control, by which calls are made to fail
   BAD_FILES_JOURNAL   a file to which every change of a database's file is appended

   SQLite on Linux reads, writes and syncs by the functions below; what it maps into memory is not seen here. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

enum kind { READ = 1, WRITE = 2, SYNC = 4 };

struct control {
    int32_t kinds;  /* the calls that are counted, as a sum of the above */
    int32_t first;  /* from which on they fail, beginning with 1; 0: none */
    int32_t last;   /* and up to which */
    int32_t error;  /* the errno that they fail with */
    int32_t count;  /* how many there were */
    int32_t failed; /* how many of them failed */
};

struct entry {
    char what; /* w: written, t: cut to `offset`, s: synced */
    char file; /* the last letter of the file's name: b or what the caller named, l of the log */
    char unused[6];
    int64_t offset;
    int64_t length; /* of what follows */
};

static const char *prefix;
static struct control *control;
static int journal = -1;
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

__attribute__((constructor)) static void begin(void) {
    prefix = getenv("BAD_FILES");
    const char *path = getenv("BAD_FILES_CONTROL");
    if (path) {
        int file = open(path, O_RDWR | O_CLOEXEC);
        if (file >= 0) {
            void *shared = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
            control = shared == MAP_FAILED ? NULL : shared;
            close(file);
        }
    }
    path = getenv("BAD_FILES_JOURNAL");
    if (path)
        journal = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

/* The last letter of the name of a file of the database; 0 of any other. */
static char file_of(int descriptor) {
    char link[40], path[4096];
    if (!prefix)
        return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, sizeof path);
    size_t wanted = strlen(prefix);
    return length < (ssize_t)wanted || memcmp(path, prefix, wanted) ? 0 : path[length - 1];
}

static int fails(char file, enum kind kind) {
    if (!file || !control || !(control->kinds & kind))
        return 0;
    int number = __atomic_add_fetch(&control->count, 1, __ATOMIC_SEQ_CST);
    if (!control->first || number < control->first || number > control->last)
        return 0;
    __atomic_add_fetch(&control->failed, 1, __ATOMIC_SEQ_CST);
    errno = control->error;
    return 1;
}

static void put(const void *data, size_t length) {
    const char *rest = data;
    while (length) {
        ssize_t done = write(journal, rest, length);
        if (done <= 0)
            abort();
        rest += done;
        length -= (size_t)done;
    }
}

static void note(char what, char file, int64_t offset, const void *data, int64_t length) {
    struct entry entry = {what, file, {0}, offset, length};
    put(&entry, sizeof entry);
    put(data, (size_t)length);
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define NOTED(result, what, offset, data, length)                                                                     \
    do {                                                                                                               \
        if (file && journal >= 0)                                                                                      \
            pthread_mutex_lock(&one_at_a_time);                                                                        \
        __typeof__(result) done = (result);                                                                            \
        if (file && journal >= 0) {                                                                                    \
            int kept = errno;                                                                                          \
            if (done >= 0)                                                                                             \
                note(what, file, offset, data, length);                                                                \
            pthread_mutex_unlock(&one_at_a_time);                                                                      \
            errno = kept;                                                                                              \
        }                                                                                                              \
        return done;                                                                                                   \
    } while (0)

ssize_t pread64(int descriptor, void *buffer, size_t length, off64_t offset) {
    if (fails(file_of(descriptor), READ))
        return -1;
    return REAL(pread64)(descriptor, buffer, length, offset);
}

ssize_t pwrite64(int descriptor, const void *buffer, size_t length, off64_t offset) {
    char file = file_of(descriptor);
    if (fails(file, WRITE))
        return -1;
    NOTED(REAL(pwrite64)(descriptor, buffer, length, offset), 'w', offset, buffer, done);
}

int ftruncate64(int descriptor, off64_t length) {
    char file = file_of(descriptor);
    if (fails(file, WRITE))
        return -1;
    NOTED(REAL(ftruncate64)(descriptor, length), 't', length, NULL, 0);
}

int fsync(int descriptor) {
    char file = file_of(descriptor);
    if (fails(file, SYNC))
        return -1;
    NOTED(REAL(fsync)(descriptor), 's', 0, NULL, 0);
}

int fdatasync(int descriptor) {
    char file = file_of(descriptor);
    if (fails(file, SYNC))
        return -1;
    NOTED(REAL(fdatasync)(descriptor), 's', 0, NULL, 0);
}

ssize_t pread(int descriptor, void *buffer, size_t length, off_t offset) __attribute__((alias("pread64")));
ssize_t pwrite(int descriptor, const void *buffer, size_t length, off_t offset) __attribute__((alias("pwrite64")));
int ftruncate(int descriptor, off_t length) __attribute__((alias("ftruncate64")));
