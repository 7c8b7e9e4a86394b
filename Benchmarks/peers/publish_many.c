// SPDX-License-Identifier: Apache-2.0
//
// publish_many PREFIX COUNT [EVERY-MS]: publishes COUNT Relativity services "PREFIX 001" and so on, each with its own
// port from 10001 on: all immediately, in groups of 32 (avahi-daemon's maximum per group), or one every EVERY-MS
// milliseconds. Prints "ready" when all are established and runs until it is terminated.
#include "peer.h"
#include <avahi-client/client.h>
#include <avahi-client/publish.h>
#include <avahi-common/error.h>
#include <avahi-common/simple-watch.h>
#include <avahi-common/timeval.h>

static AvahiSimplePoll *loop;
static AvahiClient *client;
static const char *prefix;
static int wanted, published, established, interval, group_size = 32;

static _Noreturn void fail_avahi(const char *what) {
    fprintf(stderr, "%s: %s\n", what, avahi_strerror(avahi_client_errno(client)));
    exit(1);
}

static void group_changed(AvahiEntryGroup *group, AvahiEntryGroupState state, void *size) {
    (void)group;
    if (state == AVAHI_ENTRY_GROUP_COLLISION || state == AVAHI_ENTRY_GROUP_FAILURE) fail_avahi("entry group");
    if (state != AVAHI_ENTRY_GROUP_ESTABLISHED) return;
    established += (int)(intptr_t)size;
    if (established == wanted) {
        puts("ready");
        fflush(stdout);
    }
}

static void publish_group(void) {
    int size = wanted - published < group_size ? wanted - published : group_size;
    AvahiEntryGroup *group = avahi_entry_group_new(client, group_changed, (void *)(intptr_t)size);
    if (group == NULL) fail_avahi("avahi_entry_group_new");
    for (int i = 0; i < size; i++) {
        char name[64];
        snprintf(name, sizeof name, "%.40s %03d", prefix, ++published);
        if (avahi_entry_group_add_service(group, AVAHI_IF_UNSPEC, AVAHI_PROTO_UNSPEC, 0, name,
                                          "_Relativity_DataService_rosdk._tcp", NULL, NULL,
                                          (uint16_t)(10000 + published), NULL) < 0)
            fail_avahi(name);
    }
    if (avahi_entry_group_commit(group) < 0) fail_avahi("avahi_entry_group_commit");
}

static void publish_next(AvahiTimeout *timer, void *unused) {
    (void)unused;
    publish_group();
    struct timeval next;
    if (published < wanted)
        avahi_simple_poll_get(loop)->timeout_update(timer, avahi_elapse_time(&next, (unsigned)interval, 0));
}

int main(int count, char **arguments) {
    if (count < 3) return 64;
    int error;
    prefix = arguments[1];
    wanted = atoi(arguments[2]);
    interval = count > 3 ? atoi(arguments[3]) : 0;
    loop = avahi_simple_poll_new();
    client = avahi_client_new(avahi_simple_poll_get(loop), 0, NULL, NULL, &error);
    if (client == NULL) {
        fprintf(stderr, "avahi_client_new: %s\n", avahi_strerror(error));
        return 1;
    }
    if (interval > 0) {
        group_size = 1;
        struct timeval first;
        avahi_simple_poll_get(loop)->timeout_new(avahi_simple_poll_get(loop),
                                                 avahi_elapse_time(&first, (unsigned)interval, 0), publish_next, NULL);
    } else {
        while (published < wanted) publish_group();
    }
    return avahi_simple_poll_loop(loop) < 0;
}
