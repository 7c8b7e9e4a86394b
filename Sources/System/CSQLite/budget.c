// SPDX-License-Identifier: Apache-2.0
#include "CSQLite.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

static _Thread_local relq_budget *current;

relq_budget *relq_use_budget(relq_budget *budget) {
    relq_budget *before = current;
    current = budget;
    return before;
}

// Memory.

static int may_take(sqlite3_int64 size) {
    if (!current || current->memory >= size) return 1;
    current->reached = RELQ_MEMORY;
    return 0;
}

static void *take_memory(int size) {
    if (!may_take(size)) return NULL;
    void *memory = malloc((size_t)size);
    if (memory && current) current->memory -= (sqlite3_int64)malloc_usable_size(memory);
    return memory;
}

static void free_memory(void *memory) {
    if (current) current->memory += (sqlite3_int64)malloc_usable_size(memory);
    free(memory);
}

static void *resize_memory(void *memory, int size) {
    sqlite3_int64 before = (sqlite3_int64)malloc_usable_size(memory);
    if (!may_take(size - before)) return NULL;
    void *resized = realloc(memory, (size_t)size);
    if (resized && current) current->memory += before - (sqlite3_int64)malloc_usable_size(resized);
    return resized;
}

static int size_of_memory(void *memory) { return (int)malloc_usable_size(memory); }
static int rounded_size(int size) { return (size + 7) & ~7; }
static int start_memory(void *unused) { return SQLITE_OK; }
static void end_memory(void *unused) {}

static const sqlite3_mem_methods memory_methods = {
    take_memory, free_memory, resize_memory, size_of_memory, rounded_size, start_memory, end_memory, NULL,
};

// Files: those of the default file system, whose methods follow the size of each.

typedef struct counted_file {
    sqlite3_file base;
    relq_budget *budget;
    sqlite3_int64 size;
    // The rest of the memory of the file.
    sqlite3_file *file;
} counted_file;

#define COUNTED(any) ((counted_file *)(any))
#define REAL(any) (COUNTED(any)->file)
#define CALL(any, method, ...) (REAL(any)->pMethods->method(REAL(any), ##__VA_ARGS__))

static int set_size(counted_file *file, sqlite3_int64 size) {
    if (!file->budget) return SQLITE_OK;
    if (size - file->size > file->budget->files) {
        file->budget->reached = RELQ_FILES;
        return SQLITE_FULL;
    }
    file->budget->files -= size - file->size;
    file->size = size;
    return SQLITE_OK;
}

static int counted_close(sqlite3_file *any) {
    int result = CALL(any, xClose);
    set_size(COUNTED(any), 0);
    return result;
}

static int counted_read(sqlite3_file *any, void *bytes, int count, sqlite3_int64 offset) {
    return CALL(any, xRead, bytes, count, offset);
}

static int counted_write(sqlite3_file *any, const void *bytes, int count, sqlite3_int64 offset) {
    if (offset + count > COUNTED(any)->size) {
        int result = set_size(COUNTED(any), offset + count);
        if (result != SQLITE_OK) return result;
    }
    return CALL(any, xWrite, bytes, count, offset);
}

static int counted_truncate(sqlite3_file *any, sqlite3_int64 size) {
    int result = CALL(any, xTruncate, size);
    if (result == SQLITE_OK && size < COUNTED(any)->size) set_size(COUNTED(any), size);
    return result;
}

static int counted_sync(sqlite3_file *any, int flags) { return CALL(any, xSync, flags); }
static int counted_size(sqlite3_file *any, sqlite3_int64 *size) { return CALL(any, xFileSize, size); }
static int counted_lock(sqlite3_file *any, int lock) { return CALL(any, xLock, lock); }
static int counted_unlock(sqlite3_file *any, int lock) { return CALL(any, xUnlock, lock); }
static int counted_check(sqlite3_file *any, int *result) { return CALL(any, xCheckReservedLock, result); }
static int counted_control(sqlite3_file *any, int code, void *value) { return CALL(any, xFileControl, code, value); }
static int counted_sector(sqlite3_file *any) { return CALL(any, xSectorSize); }
static int counted_traits(sqlite3_file *any) { return CALL(any, xDeviceCharacteristics); }

// Version 1: no memory-mapped files, whose writes would not be seen.
static const sqlite3_io_methods file_methods = {
    1,           counted_close, counted_read,  counted_write,   counted_truncate, counted_sync,   counted_size,
    counted_lock, counted_unlock, counted_check, counted_control, counted_sector,   counted_traits,
};

static int open_counted(sqlite3_vfs *files, const char *name, sqlite3_file *any, int flags, int *flags_out) {
    sqlite3_vfs *real = files->pAppData;
    counted_file *file = COUNTED(any);
    file->base.pMethods = NULL;
    file->budget = current;
    file->size = 0;
    file->file = (sqlite3_file *)(file + 1);
    memset(file->file, 0, (size_t)real->szOsFile);
    int result = real->xOpen(real, name, file->file, flags, flags_out);
    if (result == SQLITE_OK) {
        file->base.pMethods = &file_methods;
    } else if (file->file->pMethods) {
        file->file->pMethods->xClose(file->file);
    }
    return result;
}

void relq_configure(void) {
    // The statistics of memory are not used, and with them each allocation locks a mutex.
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    sqlite3_config(SQLITE_CONFIG_MALLOC, &memory_methods);
    sqlite3_vfs *real = sqlite3_vfs_find(NULL);
    if (!real) return;
    // The other methods of the default file system use only the members that are copied.
    static sqlite3_vfs files;
    files = *real;
    files.szOsFile = (int)sizeof(counted_file) + real->szOsFile;
    files.zName = RELQ_BUDGET_FILES;
    files.pNext = NULL;
    files.pAppData = real;
    files.xOpen = open_counted;
    sqlite3_vfs_register(&files, 0);
}
