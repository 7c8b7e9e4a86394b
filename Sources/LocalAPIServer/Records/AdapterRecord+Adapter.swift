// SPDX-License-Identifier: Apache-2.0

import Broker
import Endpoints
import LocalAPI

extension AdapterRecord {
    init(_ adapter: Adapter) {
        var expires: Int64?
        if case .atMost(let longest) = adapter.lifetime { expires = adapter.created + longest.components.seconds }
        self.init(
            id: adapter.id,
            socketPath: adapter.socketPath,
            endpoint: adapter.endpoint.text,
            endpointName: adapter.endpointName,
            login: adapter.login,
            domain: adapter.domain,
            schema: adapter.schema,
            dataService: adapter.services.data,
            loginService: adapter.services.login,
            held: adapter.lifetime == .held,
            created: adapter.created,
            expires: expires
        )
    }
}
