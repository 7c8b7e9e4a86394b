// SPDX-License-Identifier: Apache-2.0

internal import Endpoints
internal import JSON

/// The valid entries of a list by name, and the faults of the other keys.
struct ListContents: Sendable, Hashable {
    private let prefix: [UInt8]
    private let limits: EtcdLimits
    private(set) var entries: [[UInt8]: ListEntry] = [:]
    /// The faults of the other keys. Entries and faults together are at most `EtcdLimits.entries`.
    private(set) var faults: [[UInt8]: String] = [:]
    /// The number of times that a key was dropped for lack of capacity since the whole list was last read.
    private(set) var dropped = 0
    /// Whether there are more keys after the last one that was read.
    var isCut = false

    /// The maximum length of a label in a service instance (RFC 6763, section 4.1.1).
    private static let maximumName = 63

    init(prefix: String, limits: EtcdLimits) {
        self.prefix = Array("\(prefix)/".utf8)
        self.limits = limits
    }

    /// Whether there is capacity again for entries that were left out.
    var hasRoomAgain: Bool { !isFull && (isCut || dropped > 0) }

    var isFull: Bool { entries.count + faults.count >= limits.entries }

    mutating func put(_ pair: EtcdPair) {
        guard pair.key.starts(with: prefix) else { return }
        let name = Self.kept(pair.key.dropFirst(prefix.count))
        remove(name)
        guard !isFull else {
            dropped += 1
            return
        }
        guard (1...Self.maximumName).contains(name.count) else {
            faults[name] = "the name is not 1 to \(Self.maximumName) bytes long"
            return
        }
        do throws(ListEntry.Fault) {
            entries[name] = try ListEntry(parsing: pair.value, limits: limits)
        } catch {
            faults[name] = "\(error)"
        }
    }

    mutating func delete(key: [UInt8]) {
        guard key.starts(with: prefix) else { return }
        remove(Self.kept(key.dropFirst(prefix.count)))
    }

    private mutating func remove(_ name: [UInt8]) {
        entries[name] = nil
        faults[name] = nil
    }

    /// Returns the name itself, or for a name that is too long its beginning and a hash. So a very long name takes
    /// little memory, and two such names stay distinct. The result is too long as well, so that it stays invalid.
    private static func kept(_ name: ArraySlice<UInt8>) -> [UInt8] {
        guard name.count > maximumName else { return Array(name) }
        var hasher = Hasher()
        name.withUnsafeBytes { hasher.combine(bytes: $0) }
        return name.prefix(maximumName) + withUnsafeBytes(of: hasher.finalize()) { Array($0) }
    }

    /// The entries that the source leaves out.
    var omissions: [SourceOmission] {
        var omissions: [SourceOmission] = []
        if let first = faults.min(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            let isWhole = first.key.count <= Self.maximumName
            let name = "\(Printable(bytes: Array(first.key.prefix(Self.maximumName))))\(isWhole ? "" : "…")"
            omissions.append(.entriesIgnored(count: faults.count, example: name, reason: first.value))
        }
        if isCut {
            omissions.append(.listCut(limit: limits.entries))
        } else if dropped > 0 {
            omissions.append(.listFull(limit: limits.entries, dropped: dropped))
        }
        return omissions
    }
}

/// The value of one key: `{"url": "http://10.1.2.3:7099/bin", "txt": ["a=b"]}`.
struct ListEntry: Sendable, Hashable {
    var url: ServerURL
    var txt: [[UInt8]]

    /// The reason why a value cannot be used. Other entries are not affected.
    enum Fault: Error, Hashable, CustomStringConvertible {
        case tooLarge(limit: Int)
        case noObject
        case noURL
        case badURL(ServerURLError)
        case badText

        var description: String {
            switch self {
            case .tooLarge(let limit): "the value is larger than \(limit) bytes"
            case .noObject: "the value is not a JSON object"
            case .noURL: "the value has no string \"url\""
            case .badURL(let error): "\(error)"
            case .badText: "\"txt\" is not an array of strings of at most 255 bytes"
            }
        }
    }

    init(parsing value: [UInt8], limits: EtcdLimits) throws(Fault) {
        guard value.count <= limits.valueBytes else { throw .tooLarge(limit: limits.valueBytes) }
        let bounds = JSONLimits(depth: 4, bytes: limits.valueBytes, values: 1_024, marks: 64)
        guard let object = (try? JSONValue(parsing: value, limits: bounds))?.objectValue else { throw .noObject }
        guard let text = try? object.string("url") else { throw .noURL }
        do throws(ServerURLError) {
            url = try ServerURL(completing: text)
        } catch {
            throw .badURL(error)
        }
        guard let strings = try? object.optionalStrings("txt") ?? [], strings.allSatisfy({ $0.utf8.count <= 255 })
        else {
            throw .badText
        }
        txt = Array(TXTStrings.fitting(strings.map { Array($0.utf8) }, maximumBytes: limits.textBytes))
    }
}

/// Converts the entries of a list to sightings: one of each address family for each entry.
struct ListReader: Sendable {
    let list: EtcdList

    /// The host names that must be looked up.
    func names(in contents: ListContents) -> Set<String> {
        Set(
            contents.entries.values.compactMap { entry in
                if case .name(let name) = entry.url.host { name } else { nil }
            }
        )
    }

    /// - Returns: the sightings, and the number of entries without an allowed address.
    func read(_ contents: ListContents, _ hosts: HostBook) -> (sightings: [Sighting], unplaced: Int) {
        var sightings: [Sighting] = []
        var unplaced = 0
        for (name, entry) in contents.entries {
            let addresses = Self.addresses(of: entry.url.host, hosts).filter { list.policy.allows($0) }
            if addresses.isEmpty { unplaced += 1 }
            for family in [AddressFamily.inet, .inet6] {
                // The smallest address, because resolvers change the order.
                let address = addresses.filter { $0.family == family }
                    .min { $0.bytes.lexicographicallyPrecedes($1.bytes) }
                if let address { sightings.append(sighting(name, entry, address)) }
            }
        }
        return (sightings, unplaced)
    }

    private static func addresses(of host: ServerHost, _ hosts: HostBook) -> [IPAddress] {
        switch host {
        case .address(let address, _): [address]
        case .name(let name): hosts.addresses(of: name)
        }
    }

    private func sighting(_ name: [UInt8], _ entry: ListEntry, _ address: IPAddress) -> Sighting {
        Sighting(
            key: Sighting.Key(
                source: list.source,
                instance: ServiceInstance(nameBytes: name, type: "", domain: list.name),
                interface: 0,
                family: address.family
            ),
            interfaceName: "",
            host: entry.url.host.text,
            port: entry.url.port,
            scheme: entry.url.scheme,
            path: entry.url.path,
            address: address,
            txt: entry.txt,
            isLocal: false
        )
    }
}
