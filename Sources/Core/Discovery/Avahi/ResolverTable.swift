// SPDX-License-Identifier: Apache-2.0

internal import Endpoints

/// A resolver with a number that no other resolver of its table has.
protocol NumberedResolver {
    var number: Int { get }
}

/// The open resolvers: one for each key, and during a refresh a second one, which replaces the first when it answers.
struct ResolverTable<Resolver: NumberedResolver> {
    /// The meaning of an answer.
    enum Answer {
        /// The resolver is no longer in the table.
        case outdated
        case current
        /// The first answer of the second resolver. The caller frees the one that it has replaced.
        case fresh(replaced: Resolver?)
    }

    private var current: [Sighting.Key: Resolver] = [:]
    private var fresh: [Sighting.Key: Resolver] = [:]
    private var lastNumber = 0

    var count: Int { current.count + fresh.count }

    /// The number of the next resolver.
    mutating func makeNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    mutating func insert(_ resolver: Resolver, for key: Sighting.Key) { current[key] = resolver }

    /// Whether a refresh needs a second resolver: there is a first one, but no second one yet.
    func needsFresh(_ key: Sighting.Key) -> Bool { fresh[key] == nil && current[key] != nil }

    mutating func insertFresh(_ resolver: Resolver, for key: Sighting.Key) { fresh[key] = resolver }

    /// Handles an answer of the resolver with this number.
    mutating func answered(_ number: Int, for key: Sighting.Key) -> Answer {
        if let resolver = fresh[key], resolver.number == number {
            fresh[key] = nil
            return .fresh(replaced: current.updateValue(resolver, forKey: key))
        }
        return current[key]?.number == number ? .current : .outdated
    }

    /// Removes the resolvers of a key, and returns them. The caller frees them.
    mutating func remove(_ key: Sighting.Key) -> [Resolver] {
        [current.removeValue(forKey: key), fresh.removeValue(forKey: key)].compactMap { $0 }
    }

    /// Removes all resolvers, which were freed with their connection.
    mutating func removeAll() {
        current = [:]
        fresh = [:]
    }
}
