// SPDX-License-Identifier: Apache-2.0

import Broker
import Endpoints
import LocalAPI

extension BrokerAPI.Adapter {
    init(_ adapter: Adapter) {
        self.init(
            id: adapter.id,
            form: adapter.address.form.rawValue,
            url: adapter.address.url,
            held: adapter.lifetime == .held,
            ownSession: adapter.hasOwnSession,
            configured: adapter.lifetime == .standing,
            created: adapter.created
        )
        if case .socket(let path) = adapter.address { socketPath = path }
        if case .atMost(let longest) = adapter.lifetime { expires = adapter.created + longest.components.seconds }
        login = adapter.login
        pid = adapter.peer.map { Int64($0) }
        guard let target = adapter.target else { return }
        endpoint = target.endpoint.text
        endpointName = target.endpointName
        domain = target.domain
        schema = target.schema
        dataService = target.services.data
        loginService = target.services.login
    }
}
