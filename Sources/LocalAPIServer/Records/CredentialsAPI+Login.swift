// SPDX-License-Identifier: Apache-2.0

import Broker
import Credentials
import Endpoints
import LocalAPI

extension CredentialsAPI.Login {
    init(_ login: Login) throws {
        self.init(
            name: login.name,
            origin: login.origin == .configured ? .configured : .vault,
            endpoint: login.endpoint.text,
            user: login.user,
            domain: login.domain.isEmpty ? nil : login.domain,
            schema: login.schema.isEmpty ? nil : login.schema,
            userKey: login.userKey.rawValue,
            extraKeys: login.extras.map(\.key),
            strength: CredentialsAPI.PinStrength(login.pin.strength),
            authority: login.pin.authorityHost,
            pin: try Fingerprint(of: login.pin).text,
            allowPlaintext: login.allowsPlaintext,
            verified: login.isVerified,
            created: Int64(clamping: login.created)
        )
    }
}
