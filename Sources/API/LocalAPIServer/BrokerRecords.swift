// SPDX-License-Identifier: Apache-2.0

import Broker
import Credentials
import Endpoints
import LocalAPI
import Platform

extension BrokerAPI.Adapter {
    init(_ adapter: Adapter) {
        self.init(
            id: adapter.id,
            form: adapter.address.form.rawValue,
            url: adapter.address.url,
            held: adapter.lifetime == .held,
            ownSession: adapter.hasOwnSession,
            otherDatabase: adapter.isOtherDatabase,
            configured: adapter.lifetime == .permanent,
            created: adapter.created
        )
        if case .socket(let path) = adapter.address { socketPath = path }
        if case .atMost(let longest) = adapter.lifetime { expires = adapter.created + longest.components.seconds }
        login = adapter.login
        chosenBy = adapter.chooser
        pid = adapter.peer.map { Int64($0.pid) }
        claimedBy = adapter.peer?.claimedBy.map { Int64($0) }
        guard let target = adapter.target else { return }
        endpoint = target.endpoint.text
        endpointName = target.endpointName
        domain = target.domain
        schema = target.schema
        dataService = target.services.data
        loginService = target.services.login
    }
}

extension BrokerAPI.Exchange {
    init(_ exchange: CapturedExchange) {
        self.init(
            step: exchange.step.rawValue,
            request: Base64.encode(exchange.request),
            status: exchange.status.map(Int64.init),
            headers: exchange.headers,
            reply: exchange.reply.map { Base64.encode($0) },
            notes: exchange.notes,
            error: exchange.error
        )
    }
}

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
            pid: grant.peer.map { Int64($0.pid) },
            created: grant.created,
            expires: grant.expires
        )
    }
}
