// SPDX-License-Identifier: Apache-2.0

import Broker
import Endpoints
import LocalAPI

extension DaemonError {
    /// - Parameter endpoint: the endpoint of the call, where it is known.
    init(_ error: BrokerError, at endpoint: EndpointID? = nil) {
        let (text, id) = ("\(error)", endpoint?.text)
        self =
            switch error {
            case .loginNeeded(let name): .loginNeeded(.init(message: text, name: name))
            case .loginAmbiguous(let name, let candidates):
                .loginAmbiguous(.init(message: text, name: name, candidates: candidates))
            case .loginElsewhere(let login, let endpoint):
                .loginElsewhere(.init(message: text, login: login, endpoint: endpoint.text))
            case .loginRejected(let login, _): .loginRejected(.init(message: text, login: login))
            case .newLoginRejected(let name, _): .newLoginRejected(.init(message: text, name: name))
            case .reloginBlocked: .reloginBlocked(.init(message: text))
            case .unreachable: .endpointUnreachable(.init(message: text, endpoint: id))
            case .identityConflict: .identityConflict(.init(message: text, endpoint: id))
            case .identityUnverified: .identityUnverified(.init(message: text, endpoint: id))
            case .ownerUnknown(let port): .ownerUnknown(.init(message: text, endpoint: id, port: Int64(port)))
            case .noAuthority: .noAuthority(.init(message: text, endpoint: id))
            case .plaintextNotAllowed: .plaintextNotAllowed(.init(message: text, endpoint: id, pinned: true))
            case .invalidLogin, .otherLogin, .otherExtra, .noLogin: .invalidLogin(.init(message: text))
            case .refused(.grantsOnly): .grantsOnly(.init(message: text, endpoint: id))
            case .refused(.exportOff): .sessionExportOff(.init(message: text, endpoint: id))
            case .refused, .changedSinceAgreed: .notPermitted(.init(message: text))
            case .invalidGrant: .invalidGrant(.init(message: text))
            case .grantNotFound(let grant): .grantNotFound(.init(message: text, grant: grant))
            case .server(let className, let foreign):
                .serverException(.init(message: text, class: className, text: foreign))
            case .protocolFailure: .protocolFailure(.init(message: text, endpoint: id))
            case .overloaded: .failed(.init(message: text))
            case .adapterNotFound(let adapter): .adapterNotFound(.init(message: text, adapter: adapter))
            case .tooManyAdapters(let limit): .tooManyAdapters(.init(message: text, limit: Int64(limit)))
            case .tooManyWatchers(let limit): .tooManyWatchers(.init(message: text, limit: Int64(limit)))
            case .adapterSocket: .socketFailed(.init(message: text))
            case .closed: .adapterClosed(.init(message: text, endpoint: id))
            }
    }
}
