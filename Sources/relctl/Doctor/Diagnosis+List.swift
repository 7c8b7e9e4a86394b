// SPDX-License-Identifier: Apache-2.0

import Endpoints
import LocalAPI
import Platform

extension Diagnosis {
    private static let mostInOneCommand = 16

    /// What in the list of servers people should know of.
    static func list(_ facts: DoctorFacts) -> [Finding] {
        facts.endpoints.filter { $0.state == .conflict }
            .map { conflict($0, isPinned: facts.pinned.contains($0.id)) } + hidden(facts)
            + facts.endpoints.compactMap { otherwise($0) } + facts.endpoints.compactMap { unknownOwner($0) }
    }

    /// Only an endpoint that is pinned can be pinned anew.
    static func conflict(_ endpoint: RegistryAPI.Endpoint, isPinned: Bool) -> Finding {
        .warning(
            "conflict",
            "'\(Printable(endpoint.name))' is not, or not alone, the server that it was: a login goes only to the server that it is "
                + "bound to",
            seen: endpoint.stateReason?.text.description,
            isPinned
                ? .command("relctl endpoint repin \(ShellWord.quote(endpoint.id))")
                : .advice("see who it is: relctl show \(ShellWord.quote(endpoint.id))")
        )
    }

    /// A list that is empty because all in it was hidden.
    private static func hidden(_ facts: DoctorFacts) -> [Finding] {
        let hidden = facts.endpoints.filter(\.hidden)
        guard !hidden.isEmpty, hidden.count == facts.endpoints.count else { return [] }
        let names = hidden.prefix(mostInOneCommand).map { "'\(Printable($0.name))'" }.joined(separator: ", ")
        return [
            .fault(
                "hidden",
                "the list is empty because all servers in it were hidden",
                seen: "hidden with 'relctl hide': \(names)",
                .command(
                    hidden.prefix(mostInOneCommand).map { "relctl unhide \(ShellWord.quote($0.id))" }
                        .joined(separator: " && ")
                )
            )
        ]
    }

    /// A server that was added with another scheme or path than it announces itself with.
    static func otherwise(_ endpoint: RegistryAPI.Endpoint) -> Finding? {
        guard let announced = endpoint.announcedUrl.flatMap({ try? ServerURL(completing: $0) }) else { return nil }
        return .warning(
            "announced-otherwise",
            "'\(Printable(endpoint.name))' was added otherwise than it announces itself",
            seen: "\(Printable(endpoint.url)) was added, \(Printable(announced.description)) is announced",
            .command(
                "relctl endpoint set \(ShellWord.quote(endpoint.id)) --scheme \(announced.scheme.rawValue) "
                    + "--path \(ShellWord.quote(announced.path))"
            )
        )
    }

    /// A server of this machine whose owner need not be known.
    static func unknownOwner(_ endpoint: RegistryAPI.Endpoint) -> Finding? {
        guard endpoint.acceptUnknownOwner else { return nil }
        let id = ShellWord.quote(endpoint.id)
        return .warning(
            "unknown-owner",
            "logins go to '\(Printable(endpoint.name))' even if the kernel does not tell whose process answers there",
            seen: "relctl endpoint set \(id) --accept-unknown-owner on",
            .command("relctl endpoint set \(id) --accept-unknown-owner off")
        )
    }

    /// What is chosen where no login is named.
    static func logins(_ facts: DoctorFacts) -> [Finding] {
        guard facts.status != nil, let standing = facts.logins.standing, facts.logins.missing == nil,
            !facts.logins.names.contains(standing.name)
        else { return [] }
        return [
            .fault(
                "default-login",
                "the login that is used where none is named does not exist",
                seen: "'\(Printable(standing.name))', chosen by \(standing.chooser.rawValue)",
                .command(standing.isOfEnvironment ? "unset \(standing.chooser.rawValue)" : "relctl default unset")
            )
        ]
    }
}

extension ChosenLogin {
    fileprivate var isOfEnvironment: Bool { chooser == .environment }
}
