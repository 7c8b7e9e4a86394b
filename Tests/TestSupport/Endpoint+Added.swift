// SPDX-License-Identifier: Apache-2.0

package import Endpoints

extension Endpoint {
    /// An added endpoint that was never announced or reached.
    package static func added(_ id: EndpointID, named name: String, at url: ServerURL) -> Endpoint {
        Endpoint(
            id: id,
            name: name,
            origin: .manual,
            state: .unknown,
            stateReason: nil,
            url: url,
            addresses: [],
            services: .relativity,
            instance: nil,
            interfaces: [],
            txt: []
        )
    }
}
