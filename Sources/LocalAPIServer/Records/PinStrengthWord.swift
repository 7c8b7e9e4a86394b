// SPDX-License-Identifier: Apache-2.0

import Endpoints
import LocalAPI

/// Word of an interface for the strength of a pin. Each interface has an enumeration of its own.
protocol PinStrengthWord {
    static var tlsKey: Self { get }
    static var authority: Self { get }
    static var address: Self { get }
    static var loopback: Self { get }
}

extension PinStrengthWord {
    init(_ strength: PinStrength) {
        self =
            switch strength {
            case .tlsKey: .tlsKey
            case .authority: .authority
            case .address: .address
            case .loopback: .loopback
            }
    }
}

extension RegistryAPI.PinStrength: PinStrengthWord {}
extension CredentialsAPI.PinStrength: PinStrengthWord {}
