// SPDX-License-Identifier: Apache-2.0

import Broker
import Endpoints
import LocalAPI

extension BrokerAPI.Grant {
    init(_ grant: Grant) {
        self.init(
            id: grant.id,
            directory: grant.directory,
            socketPath: grant.socketPath,
            endpoint: grant.endpoint.text,
            endpointName: grant.endpointName,
            login: grant.loginName,
            services: grant.filter.services,
            methods: grant.filter.methods,
            readOnly: grant.filter.isReadOnly,
            pid: grant.peer.map { Int64($0) },
            created: grant.created,
            expires: grant.expires
        )
    }
}
