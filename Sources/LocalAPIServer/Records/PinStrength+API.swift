// SPDX-License-Identifier: Apache-2.0

import Endpoints
import LocalAPI

extension RegistryAPI.PinStrength {
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

extension CredentialsAPI.PinStrength {
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
