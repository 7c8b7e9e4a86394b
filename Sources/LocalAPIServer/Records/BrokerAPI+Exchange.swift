// SPDX-License-Identifier: Apache-2.0

import Broker
import LocalAPI
import Platform

extension BrokerAPI.Exchange {
    init(_ exchange: CapturedExchange) {
        self.init(
            step: Step(exchange.step).rawValue,
            request: Base64.encode(exchange.request),
            status: exchange.status.map(Int64.init),
            headers: exchange.headers,
            reply: exchange.reply.map { Base64.encode($0) },
            notes: exchange.notes,
            error: exchange.error
        )
    }
}

extension BrokerAPI.Exchange.Step {
    init(_ step: CapturedExchange.Step) {
        switch step {
        case .expiry: self = .expiry
        case .login: self = .login
        case .exception: self = .exception
        case .schema: self = .schema
        case .logout: self = .logout
        case .wrongPassword: self = .wrongPassword
        }
    }
}
