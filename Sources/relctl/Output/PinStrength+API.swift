// SPDX-License-Identifier: Apache-2.0

import Endpoints
import LocalAPI

extension PinStrength {
    init(_ strength: RegistryAPI.PinStrength) {
        self =
            switch strength {
            case .tlsKey: .tlsKey
            case .authority: .authority
            case .address: .address
            case .loopback: .loopback
            }
    }

    init(_ strength: CredentialsAPI.PinStrength) {
        self =
            switch strength {
            case .tlsKey: .tlsKey
            case .authority: .authority
            case .address: .address
            case .loopback: .loopback
            }
    }
}
