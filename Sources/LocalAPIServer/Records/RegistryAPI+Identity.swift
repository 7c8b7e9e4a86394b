// SPDX-License-Identifier: Apache-2.0

import Broker
import Endpoints
import LocalAPI

extension RegistryAPI.Identity {
    init(_ identity: ServerIdentity) throws {
        let fingerprint = try Fingerprint(of: identity.pin)
        self.init(
            strength: RegistryAPI.PinStrength(identity.pin.strength),
            authority: identity.pin.authorityHost,
            fingerprint: fingerprint.text,
            words: fingerprint.words,
            address: identity.address.description,
            port: Int64(identity.port),
            vouchedFor: identity.isVouchedFor,
            plaintextPermitted: identity.isPlaintextPermitted
        )
    }
}
