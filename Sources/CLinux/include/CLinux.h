// SPDX-License-Identifier: Apache-2.0
// Linux calls that Swift's Glibc module does not show: it is compiled without _GNU_SOURCE.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// Who is at the other end of a Unix socket (SO_PEERCRED). Returns 0, or -errno.
int relx_peer_credentials(int socket, pid_t *pid, uid_t *uid, gid_t *gid);

/// Has each datagram come with its sender (SO_PASSCRED). Returns 0, or -errno.
int relx_tell_senders(int socket);

/// Takes one datagram without waiting, and the user who sent it. Returns its length, -EMSGSIZE if it was longer than
/// `size`, -EACCES if nothing says who sent it, or -errno.
long relx_receive_from(int socket, void *buffer, size_t size, uid_t *uid);

/// prctl(PR_SET_DUMPABLE, 0) and prctl(PR_SET_NO_NEW_PRIVS, 1). Return 0, or -errno.
int relx_forbid_dumping(void);
int relx_forbid_new_privileges(void);

/// mallopt(3), M_MMAP_THRESHOLD: blocks of so many bytes and more are the system's again as soon as they are freed.
void relx_give_back_blocks(int size);

/// memmem(3), which takes linear time whatever it looks for. Returns whether the bytes of `needle` stand in `text`.
int relx_contains(const void *text, size_t text_size, const void *needle, size_t needle_size);

/// memfd_secret(2), mapped read-write and shared. Returns 0 and the address, or -errno.
int relx_map_secret_memory(size_t size, void **address);

/// renameat2(2) with RENAME_EXCHANGE. Returns 0, or -errno.
int relx_exchange(int old_directory, const char *old_name, int new_directory, const char *new_name);

/// renameat2(2) with RENAME_NOREPLACE: -EEXIST where the new name is taken. Returns 0, or -errno.
int relx_rename_new(int old_directory, const char *old_name, int new_directory, const char *new_name);

/// Takes an open-file-description write lock on the whole file without waiting. Returns 0, or -errno.
int relx_try_lock(int descriptor);

/// The same for one byte, and giving it back. Return 0, or -errno.
int relx_try_lock_byte(int descriptor, int64_t offset);
int relx_unlock_byte(int descriptor, int64_t offset);

/// Looks for a lock of another open file description on some of these bytes; length 0 means all from there on. Returns 0
/// if there is none, 1 and where one of them ends, or -errno.
int relx_find_lock(int descriptor, int64_t offset, int64_t length, int64_t *end);

/// Keys of the type "user" in the user's keyring of the kernel, keyrings(7). Return a serial number, or -errno.
int32_t relx_key_add(const char *description, const void *payload, size_t size);
int32_t relx_key_find(const char *description);

/// Copies at most `size` bytes. Returns how long the payload is, or -errno.
long relx_key_read(int32_t key, void *buffer, size_t size);

/// Lets the key vanish after so many seconds (1 or more); takes it out of the user's keyring. Return 0, or -errno.
int relx_key_expire(int32_t key, unsigned seconds);
int relx_key_remove(int32_t key);

/// Turns the echo of a terminal off, until relx_terminal_restore or a signal that ends or stops the process.
/// One terminal at a time. Returns 0, or -errno.
int relx_terminal_hush(int terminal);
void relx_terminal_restore(void);

/// Blocks these signals for the calling thread, from here on, and makes a descriptor that tells them: signalfd(2), which
/// does not block. Returns it, or -errno.
int relx_hold_signals(const int *signals, size_t count);
/// The next signal that such a descriptor tells, or 0 if there is none.
int relx_next_signal(int descriptor);
/// Lets one of them take its usual effect: ends the process, or stops it and comes back when it goes on.
void relx_take_signal(int number);

/// Seconds since the machine started, asleep or awake: a clock that nobody can set back.
int64_t relx_seconds_since_boot(void);

/// A socket that becomes readable when a link or an address of this machine changes, rtnetlink(7). What is lost when
/// nobody reads is lost in silence. Returns a descriptor that does not block, or -errno.
int relx_watch_network(void);

/// What the kernel knows of the owner of a socket. `inode` is 0 while no process has the socket, as before accept(2);
/// `uid` then means nothing. In a user namespace all users that are not mapped into it have the overflow uid.
struct relx_socket_owner {
    uint32_t uid;
    uint32_t inode;
};

/// The owner of the TCP socket with this address and port whose other end has those, by sock_diag(7). Both addresses
/// have 4 or both 16 bytes, in network order; ports are in host byte order. Returns 0, or -errno: -ENOENT if there is no
/// such socket, or if the kernel has no sock_diag for TCP.
int relx_tcp_owner(
    const uint8_t *address, uint16_t port, const uint8_t *other_address, uint16_t other_port, size_t address_size,
    struct relx_socket_owner *owner
);
