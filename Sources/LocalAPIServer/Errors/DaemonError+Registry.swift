// SPDX-License-Identifier: Apache-2.0

import Endpoints
import LocalAPI
import Registry

extension DaemonError {
    init(_ error: RegistryError) {
        let text = "\(error)"
        self =
            switch error {
            case .notFound(let reference): .endpointNotFound(.init(message: text, endpoint: reference))
            case .ambiguous(let reference, let candidates):
                .endpointAmbiguous(.init(message: text, endpoint: reference, candidates: candidates.map(\.text)))
            case .nameTaken(let name), .alreadyAdded(let name): .endpointExists(.init(message: text, name: name))
            case .invalidName: .invalidEndpoint(.init(message: text))
            case .notManual(let name), .namedByServer(let name), .configured(let name):
                .endpointNotManual(.init(message: text, name: name))
            case .full(let limit): .listFull(.init(message: text, limit: Int64(limit)))
            case .listTooNew: .listTooNew(.init(message: text))
            case .notSaved: .notSaved(.init(message: text))
            case .tooManyWatchers(let limit): .tooManyWatchers(.init(message: text, limit: Int64(limit)))
            case .watcherTooSlow: .watcherTooSlow(.init(message: text, stream: .endpoints))
            }
    }

    init(_ error: ServerURLError) { self = .invalidEndpoint(.init(message: "\(error)")) }
}
