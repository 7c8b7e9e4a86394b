// SPDX-License-Identifier: Apache-2.0
// Linux calls that are missing from Swift's Glibc module, which is compiled without _GNU_SOURCE.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// Attaches the credentials of the sender to each datagram (SO_PASSCRED). Returns 0, or -errno.
int relx_tell_senders(int socket);

/// Receives one datagram without waiting, and the user ID of its sender. Returns its length, -EMSGSIZE if it was
/// longer than `size`, -EACCES if the datagram has no credentials, or -errno.
long relx_receive_from(int socket, void *buffer, size_t size, uid_t *uid);

/// prctl(PR_SET_DUMPABLE, 0) and prctl(PR_SET_NO_NEW_PRIVS, 1). Return 0, or -errno.
int relx_forbid_dumping(void);
int relx_forbid_new_privileges(void);

/// prctl(PR_SET_PDEATHSIG): this process gets SIGTERM when the thread that started it ends. Returns 0, or -errno.
int relx_end_with_parent(void);

/// posix_spawn_file_actions_addclosefrom_np(3): the new program gets none of the descriptors from `first` on.
/// `actions` is a posix_spawn_file_actions_t.
void relx_close_from(void *actions, int first);

/// mallopt(3): all threads allocate from one heap. Blocks of `block` bytes or more are returned to the system as soon as
/// they are freed, and other free memory at the end of the heap as soon as it is more than `kept` bytes.
void relx_share_heap(int block, int kept);

/// memmem(3), which takes linear time for any needle. Returns whether `text` contains the bytes of `needle`.
int relx_contains(const void *text, size_t text_size, const void *needle, size_t needle_size);

/// Compares in a time that depends on the size only. Returns 0 if the bytes are the same.
int relx_differ(const void *left, const void *right, size_t size);

/// memfd_secret(2), mapped read-write and shared. Returns 0 and the address, or -errno.
int relx_map_secret_memory(size_t size, void **address);

/// renameat2(2) with RENAME_EXCHANGE. Returns 0, or -errno.
int relx_exchange(int old_directory, const char *old_name, int new_directory, const char *new_name);

/// renameat2(2) with RENAME_NOREPLACE: -EEXIST if the new name exists. Returns 0, or -errno.
int relx_rename_new(int old_directory, const char *old_name, int new_directory, const char *new_name);

/// open(2) with O_TMPFILE: a file without a name, open for reading and writing. Returns the descriptor, or -errno.
int relx_open_unnamed(const char *directory, mode_t mode);

/// pipe2(2) with O_CLOEXEC. Returns 0, or -errno.
int relx_pipe(int ends[2]);

/// Acquires an open-file-description write lock on the whole file without waiting. Returns 0, or -errno.
int relx_try_lock(int descriptor);

/// Acquire such a lock on one byte without waiting, and release it. Return 0, or -errno.
int relx_try_lock_byte(int descriptor, int64_t offset);
int relx_unlock_byte(int descriptor, int64_t offset);

/// Finds a lock of another open file description in a range of bytes; length 0 means all bytes from `offset`
/// on. Returns 0 if there is none, 1 and the end of one of them, or -errno.
int relx_find_lock(int descriptor, int64_t offset, int64_t length, int64_t *end);

/// Add and find keys of the type "user" in the user's keyring of the kernel, keyrings(7). Return a serial number, or
/// -errno.
int32_t relx_key_add(const char *description, const void *payload, size_t size);
int32_t relx_key_find(const char *description);

/// Copies at most `size` bytes. Returns the length of the payload, or -errno.
long relx_key_read(int32_t key, void *buffer, size_t size);

/// Sets a key to expire after `seconds` (1 or more); removes a key from the user's keyring. Return 0, or -errno.
int relx_key_expire(int32_t key, unsigned seconds);
int relx_key_remove(int32_t key);

/// Turns off the echo of a terminal, until relx_terminal_restore or a signal that terminates or stops the process.
/// Only one terminal at a time. Returns 0, or -errno.
int relx_terminal_hush(int terminal);
void relx_terminal_restore(void);

/// Blocks these signals for the calling thread, and creates a non-blocking descriptor that reads them: signalfd(2).
/// Returns the descriptor, or -errno.
int relx_hold_signals(const int *signals, size_t count);
/// Returns the next signal from such a descriptor, or 0 if there is none.
int relx_next_signal(int descriptor);
/// Performs the default action of a signal: terminates the process, or stops it and returns when it is continued.
void relx_take_signal(int number);

/// Seconds since the machine started, including sleep. No process can set this clock back.
int64_t relx_seconds_since_boot(void);

/// Opens a socket that becomes readable when a link or an address of this machine changes, rtnetlink(7). Messages
/// that are not read in time are dropped without an error. Returns a non-blocking descriptor, or -errno.
int relx_watch_network(void);

/// The kernel's information about the owner of a socket. `inode` is 0 while no process has the socket, for example
/// before accept(2); `uid` is then meaningless. In a user namespace, all users that are not mapped into it have the
/// overflow uid.
struct relx_socket_owner {
    uint32_t uid;
    uint32_t inode;
};

/// Finds the owner of the TCP socket with this address and port that is connected to the other address and port, by
/// sock_diag(7). Both addresses have 4 bytes or both have 16, in network order; ports are in host byte order. Returns
/// 0, or -errno: -ENOENT if there is no such socket, or if the kernel has no sock_diag for TCP.
int relx_tcp_owner(
    const uint8_t *address, uint16_t port, const uint8_t *other_address, uint16_t other_port, size_t address_size,
    struct relx_socket_owner *owner
);

/// lsetxattr(2), with a text as the value. Returns 0, or -errno.
int relx_set_attribute(const char *path, const char *name, const char *value);

/// A shared library of this process. Texts are empty, and `headers` is NULL, if they are unknown.
struct relx_library_facts {
    const char *name;
    /// The version of its headers on the machine where the program was built.
    const char *headers;
    /// The version that the loaded library reports.
    char version[32];
    /// The name of its file, without symbolic links, such as libcrypto.so.3.
    char file[64];
};

/// Returns 1 and the facts of one of the known libraries if it is loaded, 0 if it is not, and -1 behind the last one.
int relx_library(size_t index, struct relx_library_facts *facts);

/// The version of toml++, which is compiled into the programs that use it; NULL if it is unknown.
const char *relx_toml_version(void);
