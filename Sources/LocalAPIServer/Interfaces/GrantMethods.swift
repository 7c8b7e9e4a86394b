// SPDX-License-Identifier: Apache-2.0

import Broker
import JSON
import LocalAPI
import Varlink
import VarlinkService

/// The methods of `org.relativityd.Broker` about grants.
struct GrantMethods {
    let broker: ConnectionBroker
    let opening: InteractiveOpening

    func add(_ call: VarlinkCall) async throws {
        let parameters = call.parameters
        var order = GrantOrder(login: try parameters.string("login"))
        order.services = try parameters.optionalStrings("services") ?? []
        order.methods = try parameters.optionalStrings("methods") ?? []
        order.isReadOnly = try parameters.optionalBool("readOnly") ?? false
        if let seconds = try parameters.optionalInteger("ttlSeconds") {
            guard GrantOrder.times.contains(.seconds(seconds)) else {
                throw VarlinkError.invalidParameter("ttlSeconds")
            }
            order.time = .seconds(seconds)
        }
        let grant = try await opening.agreed(
            to: "a grant for \(order.time.components.seconds / 60) minutes",
            at: { try await broker.endpoint(ofLogin: order.login) },
            { isAgreed in
                order.isAgreed = isAgreed
                return try await broker.grant(order)
            }
        )
        call.reply(["grant": .object(GrantRecord(grant).json)])
    }

    func list(_ call: VarlinkCall) async {
        call.reply(["grants": .array(await broker.grants.map { .object(GrantRecord($0).json) })])
    }

    func revoke(_ call: VarlinkCall) async throws {
        try await broker.revoke(try call.parameters.string("grant"))
        call.reply()
    }
}
