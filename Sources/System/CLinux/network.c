// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CLinux.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int relx_watch_network(void) {
    int descriptor = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);
    if (descriptor < 0) return -errno;
    struct sockaddr_nl address = {
        .nl_family = AF_NETLINK,
        .nl_groups = RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR,
    };
    int on = 1;
    if (bind(descriptor, (struct sockaddr *)&address, sizeof address) != 0
        || setsockopt(descriptor, SOL_NETLINK, NETLINK_NO_ENOBUFS, &on, sizeof on) != 0) {
        int code = errno;
        close(descriptor);
        return -code;
    }
    return descriptor;
}

// Sends a request and receives the reply. The kernel replies during send(2), so there is no need to wait.
static ssize_t ask(const void *question, size_t length, void *answer, size_t room) {
    int descriptor = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
    if (descriptor < 0) return -errno;
    ssize_t size = send(descriptor, question, length, 0);
    if (size >= 0) size = recv(descriptor, answer, room, MSG_DONTWAIT);
    int code = errno;
    close(descriptor);
    return size < 0 ? -code : size;
}

int relx_tcp_owner(
    const uint8_t *address, uint16_t port, const uint8_t *other_address, uint16_t other_port, size_t address_size,
    struct relx_socket_owner *owner
) {
    struct {
        struct nlmsghdr header;
        struct inet_diag_req_v2 question;
    } request = {
        .header = {.nlmsg_len = sizeof request, .nlmsg_type = SOCK_DIAG_BY_FAMILY, .nlmsg_flags = NLM_F_REQUEST},
        .question = {.sdiag_protocol = IPPROTO_TCP, .idiag_states = UINT32_MAX},
    };
    if (address_size != 4 && address_size != 16) return -EINVAL;
    request.question.sdiag_family = address_size == 4 ? AF_INET : AF_INET6;
    memcpy(request.question.id.idiag_src, address, address_size);
    request.question.id.idiag_sport = htons(port);
    memcpy(request.question.id.idiag_dst, other_address, address_size);
    request.question.id.idiag_dport = htons(other_port);
    request.question.id.idiag_cookie[0] = INET_DIAG_NOCOOKIE;
    request.question.id.idiag_cookie[1] = INET_DIAG_NOCOOKIE;

    _Alignas(struct nlmsghdr) char answer[1024];
    ssize_t size = ask(&request, sizeof request, answer, sizeof answer);
    if (size < 0) return (int)size;
    const struct nlmsghdr *header = (const struct nlmsghdr *)answer;
    if (size < (ssize_t)sizeof *header || header->nlmsg_len > (size_t)size) return -EPROTO;
    if (header->nlmsg_type == NLMSG_ERROR && header->nlmsg_len >= NLMSG_LENGTH(sizeof(struct nlmsgerr))) {
        int error = ((const struct nlmsgerr *)NLMSG_DATA(header))->error;
        return error < 0 ? error : -EPROTO;
    }
    if (header->nlmsg_type != SOCK_DIAG_BY_FAMILY || header->nlmsg_len < NLMSG_LENGTH(sizeof(struct inet_diag_msg))) {
        return -EPROTO;
    }
    const struct inet_diag_msg *found = NLMSG_DATA(header);
    // The kernel falls back to a listening socket if there is no such connection.
    if (found->id.idiag_sport != htons(port) || found->id.idiag_dport != htons(other_port)) return -ENOENT;
    owner->uid = found->idiag_uid;
    owner->inode = found->idiag_inode;
    return 0;
}
