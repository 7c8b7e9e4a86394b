// SPDX-License-Identifier: Apache-2.0

import Endpoints
import NIOCore

@testable import Registry

/// A source that reports many services, then many changes of their TXT records, and sometimes a change of one more
/// server. It makes each event on request, and sometimes waits for a turn of the loop, like a source that reads a
/// socket.
struct Flood: AsyncSequence, Sendable {
    typealias Element = SightingEvent
    typealias Failure = Never

    let services: Int
    let changes: Int
    /// The observed server. It is reported `tellings` times during the changes, with the time of each report as its
    /// TXT, in nanoseconds of `NIODeadline`.
    let favourite: Sighting
    let tellings: Int
    let loop: any EventLoop

    /// The number of events in one read of a socket.
    private static let batch = 64

    func makeAsyncIterator() -> Iterator { Iterator(flood: self) }

    struct Iterator: AsyncIteratorProtocol {
        let flood: Flood
        private var number = 0
        private var said: [[UInt8]] = []

        init(flood: Flood) { self.flood = flood }

        mutating func next() async -> SightingEvent? { await next(isolation: nil) }

        mutating func next(isolation actor: isolated (any Actor)?) async -> SightingEvent? {
            if number.isMultiple(of: Flood.batch) { try? await flood.loop.submit {}.get() }
            guard number < flood.services + flood.changes else { return nil }
            let changed = number - flood.services
            if changed >= 0, said.count < flood.tellings, changed >= said.count * flood.changes / flood.tellings {
                said.append(Array("\(NIODeadline.now().uptimeNanoseconds)".utf8))
                var favourite = flood.favourite
                favourite.txt = said
                return .sighted(favourite)
            }
            defer { number += 1 }
            return flood.service(number % flood.services, round: number / flood.services).map { .sighted($0) }
        }
    }

    /// One of eight services of a host.
    private func service(_ number: Int, round: Int) -> Sighting? {
        let host = number / 8
        guard let address = IPAddress(bytes: [10, 66, UInt8(host / 250), UInt8(host % 250 + 1)]) else { return nil }
        return .made(
            "Fake \(number)",
            source: .avahi,
            type: "_Relativity_DataService_rosdk._tcp",
            interface: 2,
            host: "fake-\(host).local",
            port: UInt16(10_000 + number % 8),
            at: address,
            txt: ["version=11", "round=\(round)"]
        )
    }
}
