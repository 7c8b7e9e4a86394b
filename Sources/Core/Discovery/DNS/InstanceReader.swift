// SPDX-License-Identifier: Apache-2.0

internal import Endpoints

/// Interprets the records of a domain (RFC 6763, sections 4 to 6) and selects the ones to use.
struct InstanceReader: Sendable {
    let domain: DomainName
    let types: [DomainName]
    let source: SourceName
    let policy: NetworkPolicy
    let limits: DomainLimits

    /// The first questions of a round: the instances of each type.
    var roots: [DNSQuestion] {
        types.compactMap { $0.below(domain) }.map { DNSQuestion(name: $0, kind: .pointer) }
    }

    /// The questions that follow an answer: from a list to the SRV and TXT records of each instance, from an SRV
    /// record to addresses.
    func questions(after question: DNSQuestion, _ answer: DNSAnswer) -> [DNSQuestion] {
        switch question.kind {
        case .pointer:
            instances(answer, listedAt: question.name).kept
                .flatMap { [DNSQuestion(name: $0, kind: .service), DNSQuestion(name: $0, kind: .text)] }
        case .service:
            answer.location.map { place in
                [DNSQuestion.Kind.address, .address6].map { DNSQuestion(name: place.target, kind: $0) }
            } ?? []
        case .address, .address6, .text: []
        }
    }

    /// The questions for one instance: its SRV record, its TXT record, and the addresses of its host.
    func questions(about instance: ServiceInstance, _ answer: (DNSQuestion) -> DNSAnswer?) -> [DNSQuestion] {
        guard instance.domain == "\(domain)", let type = types.first(where: { "\($0)" == instance.type }),
            let name = DomainName(labels: [instance.nameBytes] + type.labels + domain.labels)
        else { return [] }
        let service = DNSQuestion(name: name, kind: .service)
        let addresses = answer(service).map { questions(after: service, $0) } ?? []
        return [service, DNSQuestion(name: name, kind: .text)] + addresses
    }

    /// Combines the answers into sightings: one of each address family for each instance.
    func read(_ answer: (DNSQuestion) -> DNSAnswer?) -> InstanceFindings {
        var findings = InstanceFindings()
        for type in types {
            guard let name = type.below(domain),
                let list = answer(DNSQuestion(name: name, kind: .pointer))
            else { continue }
            let instances = instances(list, listedAt: name)
            findings.ignoredInstances += instances.ignored
            for instance in instances.kept { read(instance, of: type, answer, into: &findings) }
        }
        return findings
    }

    private func read(
        _ name: DomainName,
        of type: DomainName,
        _ answer: (DNSQuestion) -> DNSAnswer?,
        into findings: inout InstanceFindings
    ) {
        guard let place = answer(DNSQuestion(name: name, kind: .service))?.location else {
            findings.unplaced += 1
            return
        }
        let text = answer(DNSQuestion(name: name, kind: .text))?.strings ?? []
        for kind in [DNSQuestion.Kind.address, .address6] {
            let addresses = answer(DNSQuestion(name: place.target, kind: kind))?.addresses ?? []
            let allowed = addresses.filter { policy.allows($0) }
            findings.refusedAddresses += addresses.count - allowed.count
            // Servers change the order from reply to reply, so take the smallest address, which is the same each
            // time.
            guard let address = allowed.min(by: { $0.bytes.lexicographicallyPrecedes($1.bytes) }) else { continue }
            findings.sightings.append(sighting(name, of: type, at: place, address, text))
        }
    }

    private func sighting(
        _ name: DomainName,
        of type: DomainName,
        at place: ServiceLocation,
        _ address: IPAddress,
        _ text: [[UInt8]]
    ) -> Sighting {
        Sighting(
            key: Sighting.Key(
                source: source,
                instance: ServiceInstance(
                    nameBytes: name.labels[0],
                    type: "\(type)",
                    domain: "\(domain)"
                ),
                interface: 0,
                family: address.family
            ),
            interfaceName: "",
            host: "\(place.target)",
            port: place.port,
            address: address,
            txt: text,
            isLocal: false
        )
    }

    /// The instances of a list that are in the list's own domain, in a stable order, and the number of the others,
    /// which are elsewhere or beyond the limit.
    func instances(_ answer: DNSAnswer, listedAt parent: DomainName) -> (kept: [DomainName], ignored: Int) {
        let listed = answer.contents.compactMap { content -> DomainName? in
            guard case .pointer(let name) = content, name.labels.count == parent.labels.count + 1,
                DomainName(labels: Array(name.labels.dropFirst())) == parent
            else { return nil }
            return name
        }
        let unique = Set(listed).sorted { $0.labels[0].lexicographicallyPrecedes($1.labels[0]) }
        let kept = Array(unique.prefix(limits.instancesPerType))
        return (kept, answer.omitted + answer.contents.count - kept.count)
    }

    func bounded(_ text: [[UInt8]]) -> [[UInt8]] {
        Array(TXTStrings.fitting(text, maximumBytes: limits.textBytes))
    }
}

extension DNSAnswer {
    /// The location to use: lowest priority first, then highest weight, then by name. Nil if the service is not
    /// offered (RFC 2782: the root as target), or has port 0.
    var location: ServiceLocation? {
        let places = contents.compactMap { content -> ServiceLocation? in
            guard case .service(let place) = content, !place.target.isRoot, place.port != 0 else { return nil }
            return place
        }
        return places.min { one, other in
            (one.priority, other.weight, "\(one.target)", one.port)
                < (other.priority, one.weight, "\(other.target)", other.port)
        }
    }

    var strings: [[UInt8]]? {
        for case .text(let strings) in contents {
            // A single empty string means that there are none (RFC 6763, section 6.1).
            return strings.filter { !$0.isEmpty }
        }
        return nil
    }

    var addresses: [IPAddress] {
        contents.compactMap { content in
            guard case .address(let address) = content else { return nil }
            return address
        }
    }
}

/// The part of an answer that is kept until it expires. A server can send 64 KB for each question.
extension InstanceReader {
    /// The limit of addresses of a host. Only one of each family is reported.
    private static let maximumAddresses = 16

    /// A smaller answer with the same result in `questions` and, except for addresses beyond 16, in `read`.
    func trimmed(_ answer: DNSAnswer, to question: DNSQuestion) -> DNSAnswer {
        var trimmed = answer
        switch question.kind {
        case .pointer:
            let (kept, ignored) = instances(answer, listedAt: question.name)
            trimmed.contents = kept.map { .pointer($0) }
            trimmed.omitted = ignored
        case .service: trimmed.contents = answer.location.map { [.service($0)] } ?? []
        case .text: trimmed.contents = answer.strings.map { [.text(bounded($0))] } ?? []
        case .address, .address6:
            // Allowed addresses first.
            trimmed.contents = answer.addresses.map { (isRefused: !policy.allows($0), address: $0) }
                .sorted { one, other in
                    one.isRefused == other.isRefused
                        ? one.address.bytes.lexicographicallyPrecedes(other.address.bytes) : other.isRefused
                }
                .prefix(Self.maximumAddresses)
                .map { .address($0.address) }
        }
        return trimmed
    }
}
