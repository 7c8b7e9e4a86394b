// SPDX-License-Identifier: Apache-2.0

import Broker
import JSON
import LocalAPI
import Registry
import Varlink
import VarlinkService

extension BrokerInterface {
    func capture(_ call: VarlinkCall) async throws {
        let parameters = call.parameters
        let isAnonymous = try parameters.optionalBool("anonymous") ?? false
        let triesWrongPassword = try parameters.optionalBool("wrongPassword") ?? false
        guard !isAnonymous || !triesWrongPassword else { throw VarlinkError.invalidParameter("wrongPassword") }
        let endpoint = try await registry.find(try parameters.string("endpoint"))
        let login = try parameters.optionalString("login")
        let exchanges = try await opening.agreed(to: "a report on the server", at: { endpoint }) { isAgreed in
            try await broker.capture(
                endpoint,
                login: login,
                isAnonymous: isAnonymous,
                triesWrongPassword: triesWrongPassword,
                isAgreed: isAgreed
            )
        }
        call.reply(["exchanges": .array(exchanges.map { .object(ExchangeRecord($0).json) })])
    }
}
