// SPDX-License-Identifier: Apache-2.0

import Endpoints
import EventLoops
import Glibc
import NIOCore
import NIOPosix
import Registry

/// Measures how long the registry takes to apply the events of a source, with one watcher.
///
///     registry-probe DIRECTORY SIGHTINGS ROUNDS
///
/// Every two sightings are one server, over IPv4 and IPv6. The directory is for the registry's file. Prints the medians
/// of the rounds in nanoseconds, as a JSON object: the registry, and a dictionary that gets the same events in turns.
@main
enum Probe {
    static func main() async throws {
        guard CommandLine.arguments.count == 4, let count = Int(CommandLine.arguments[2]),
            let rounds = Int(CommandLine.arguments[3]), count > 0, rounds > 0
        else { exit(64) }
        let events = try sightings(count).map { SightingEvent.sighted($0) } + [.settled]
        let pool = NIOThreadPool(numberOfThreads: 1)
        pool.start()
        let store = EndpointStore(directory: CommandLine.arguments[1], pool: pool)
        let loop = MultiThreadedEventLoopGroup(numberOfThreads: 1).next()
        // All on one thread, like the daemon.
        let (registry, dictionary) = try await withTaskExecutorPreference(LoopExecutor(loop)) {
            try await times(of: rounds, events, in: store, on: loop)
        }
        let medians = [registry, dictionary].map { $0.sorted()[rounds / 2] / .nanoseconds(1) }
        print("{\"sightings\": \(count), \"applied\": \(medians[0]), \"dictionary\": \(medians[1])}")
    }

    private static func times(
        of rounds: Int,
        _ events: [SightingEvent],
        in store: EndpointStore,
        on loop: any EventLoop
    ) async throws -> (registry: [Duration], dictionary: [Duration]) {
        var times: (registry: [Duration], dictionary: [Duration]) = ([], [])
        for _ in 0..<rounds {
            let registry = EndpointRegistry(loop: loop, store: store)
            let watch = try await registry.watch()
            let source = SightingStream()
            for event in events { source.yield(event) }
            source.finish()
            times.registry.append(await SuspendingClock().measure { await registry.consume(source, from: .avahi) })
            guard await registry.endpointCount == events.count / 2 else { exit(1) }
            withExtendedLifetime(watch) {}
            times.dictionary.append(
                SuspendingClock().measure { guard collect(events) == events.count - 1 else { exit(1) } }
            )
        }
        return times
    }

    /// The number of sightings in a dictionary after the events.
    private static func collect(_ events: [SightingEvent]) -> Int {
        var sightings: [Sighting.Key: Sighting] = [:]
        for case .sighted(let sighting) in events { sightings[sighting.key] = sighting }
        return sightings.count
    }

    /// Eight servers on each host.
    private static func sightings(_ count: Int) throws -> [Sighting] {
        try (0..<count).map { index in
            let server = index / 2
            let host = server / 8
            let text = index.isMultiple(of: 2) ? "10.7.\(host / 250).\(host % 250 + 1)" : "fd07::\(host + 1)"
            guard let address = IPAddress(text) else { throw ServerURLError.badHost(text) }
            return Sighting(
                key: Sighting.Key(
                    instance: ServiceInstance(
                        name: "Server \(server)",
                        type: "_Relativity_DataService_rosdk._tcp",
                        domain: "local"
                    ),
                    interface: 2,
                    family: address.family
                ),
                interfaceName: "eth0",
                host: "host-\(host).local",
                port: UInt16(10_000 + server % 8),
                address: address,
                txt: [Array("version=11".utf8)],
                isLocal: false
            )
        }
    }
}
