/* SPDX-License-Identifier: Apache-2.0 */

#ifndef RELATIVITY_CALLS_H
#define RELATIVITY_CALLS_H

#include "service.h"

/* The methods of the Data API that are called. */
enum method { LIST_TABLES, GET_SCHEMA, READ, COUNT, EDIT, APPLY, DROP_PENDING, LIST_KEPT, READ_KEPT, DESCRIBE_KEPT };

/*
 * Sends a call of a method and reads its first reply, which the caller frees with sqlite3_free.
 * server: the server, or the endpoint with kept tables; ignored if the method has none.
 * rest: further parameters in JSON, each after a comma.
 */
int call(
    struct service *service, enum method method, const char *server, const char *rest, char **reply, char **error);

/*
 * Makes a call over the connection that a database keeps, so that the service keeps its adapters and the daemon its sessions. The
 * service closes a connection that is idle; then another one is opened, and the call is made again. So it must be one that may
 * be made twice, or that names the revision of a pending set, which refuses the second one.
 */
int ask(
    struct service *service, sqlite3 *database, enum method method, const char *server, const char *rest, char **reply,
    char **error);

#endif
