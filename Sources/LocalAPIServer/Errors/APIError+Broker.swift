// SPDX-License-Identifier: Apache-2.0

import Broker
import Endpoints
import JSON
import LocalAPI
import Platform

extension APIError {
    /// - Parameter endpoint: what the commands of hints are about, where that is known.
    init(_ error: BrokerError, at endpoint: EndpointID? = nil) {
        let text = "\(error)"
        let place = endpoint?.text ?? "ENDPOINT"
        switch error {
        case .loginNeeded(let endpoint):
            self.init(.loginNeeded, text, hint: Self.loginCommand(endpoint))
        case .loginAmbiguous(_, let candidates):
            let names: [JSONValue] = candidates.map { .string($0) }
            self.init(.loginAmbiguous, text, hint: "choose with --login NAME", details: ["candidates": .array(names)])
        case .loginElsewhere(_, let endpoint):
            self.init(.loginNotFound, text, hint: "relctl adapter open \(endpoint)")
        case .loginRejected(let login, _):
            self.init(.loginRejected, text, hint: "relctl login test \(ShellWord.quote(login))")
        case .newLoginRejected(let endpoint, _):
            self.init(.loginRejected, text, hint: Self.loginCommand(endpoint))
        case .unreachable:
            self.init(.endpointUnreachable, text, hint: "see that it runs, and what is in the way here: relctl doctor")
        case .identityConflict:
            self.init(
                .identityConflict,
                text,
                hint: "if the server has really changed: relctl endpoint repin \(place)"
            )
        case .ownerUnknown:
            self.init(
                .identityConflict,
                text,
                hint: "if you trust every user of this machine: relctl endpoint set \(place) --accept-unknown-owner on"
            )
        case .noAuthority:
            self.init(
                .invalidEndpoint,
                text,
                hint: "add it by its host name: relctl add NAME https://HOST:PORT/bin; or keep to its key: --trust key"
            )
        case .identityUnverified:
            self.init(.identityConflict, text, hint: "see it and agree to it: relctl endpoint repin \(place)")
        case .plaintextNotAllowed:
            self.init(
                .plaintextNotAllowed,
                text,
                hint: "use an https address, or allow it: relctl endpoint repin \(place) --allow-plaintext"
            )
        case .invalidLogin, .otherLogin, .otherExtra, .noLogin: self.init(.invalidLogin, text)
        case .refused, .changedSinceAgreed: self.init(.notPermitted, text)
        case .invalidGrant: self.init(.invalidGrant, text, hint: "relctl grant add --help")
        case .grantNotFound: self.init(.grantNotFound, text, hint: "relctl grant list")
        case .reloginBlocked:
            self.init(.loginRejected, text, hint: "wait, or use an https address, which proves who answers")
        case .server(let className, let foreign):
            self.init(
                .serverException,
                text,
                details: ["class": .string(className), "text": .string(foreign)]
            )
        case .protocolFailure:
            self.init(.protocolFailure, text, hint: "see that a Relativity server answers at this URL")
        case .overloaded: self.init(.failed, text)
        case .adapterNotFound: self.init(.adapterNotFound, text, hint: "relctl adapter list")
        case .tooManyAdapters: self.init(.tooManyAdapters, text, hint: "relctl adapter list")
        case .tooManyWatchers: self.init(.watcherTooSlow, text)
        case .adapterSocket: self.init(.failed, text, hint: "see that XDG_RUNTIME_DIR is short and can be written")
        case .closed: self.init(.endpointUnreachable, text, hint: "open the adapter again")
        }
    }

    private static func loginCommand(_ endpoint: String) -> String {
        "relctl login add \(ShellWord.quote(endpoint)) --user USER"
    }

}
