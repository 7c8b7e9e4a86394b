// SPDX-License-Identifier: Apache-2.0

import Broker
import Endpoints
import LocalAPI
import Varlink
import VarlinkService

extension BrokerInterface {
    func addGrant(_ call: TypedCall<BrokerAPI.AddGrantCall>) async throws {
        let parameters = call.parameters
        var order = GrantOrder(login: parameters.login)
        order.services = parameters.services ?? []
        order.methods = parameters.methods ?? []
        order.isReadOnly = parameters.readOnly ?? false
        if let seconds = parameters.ttlSeconds {
            guard GrantOrder.times.contains(.seconds(seconds)) else {
                throw VarlinkError.invalidParameter("ttlSeconds")
            }
            order.time = .seconds(seconds)
        }
        let grant = try await DaemonError.naming(try? await broker.endpoint(ofLogin: parameters.login).id) {
            try await opening.agreed(
                to: "a grant for \(Counted(order.time.components.seconds / 60, "minute"))",
                showing: { try await broker.shownUse(ofLogin: order.login) },
                { agreed in
                    order.agreed = agreed
                    return try await broker.grant(order)
                }
            )
        }
        call.reply(.init(grant: BrokerAPI.Grant(grant)))
    }

    func listGrants(_ call: TypedCall<BrokerAPI.ListGrantsCall>) async throws {
        call.reply(.init(grants: await broker.grants.map { BrokerAPI.Grant($0) }))
    }

    func revokeGrant(_ call: TypedCall<BrokerAPI.RevokeGrantCall>) async throws {
        try await broker.revoke(call.parameters.grant)
        call.reply(.init())
    }
}
