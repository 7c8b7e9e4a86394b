// SPDX-License-Identifier: Apache-2.0

internal import Endpoints
internal import EventLoops
internal import NIOCore
internal import NIOPosix
internal import Platform
internal import Synchronization

/// From the list's contents to what is told of it.
extension EtcdSource {
    func tellNow() {
        guard !isStopped else { return }
        hosts.need(reader.names(in: contents))
        lookUp()
        let (sightings, unplaced) = reader.read(contents, hosts)
        for event in told.replace(with: sightings) { stream.yield(event) }
        var left = contents.omissions
        if unplaced > 0, hosts.isComplete { left.append(.entriesUnplaced(count: unplaced)) }
        leftOut.withLock { [left] in $0 = left }
        settle()
    }

    /// Names that were never looked up could still lead to what is there.
    private func settle() {
        guard owesAll, hosts.isComplete else { return }
        owesAll = false
        for event in told.retelling { stream.yield(event) }
        stream.yield(.settled)
    }

    func lookUp() {
        guard !isStopped else { return }
        guard let name = hosts.next() else { return lookUpLater() }
        let look = lookUps.runIfActive(eventLoop: loop) {
            try HostLookUp.socketAddresses(of: name).compactMap { $0.withUnsafeBytes { IPAddress(socketAddress: $0) } }
        }
        look.whenComplete { result in
            self.loop.reenter(self) { source in
                let isNews = source.hosts.found(try? result.get(), for: name)
                source.lookUp()
                if isNews { source.tellSoon() }
            }
        }
    }

    private func lookUpLater() {
        guard lookUpTimer == nil, !hosts.isEmpty else { return }
        let pause = TimeAmount(limits.lookUpEvery * Double.random(in: 0.8...1))
        lookUpTimer = loop.scheduleTask(in: pause, for: self) { source in
            source.lookUpTimer = nil
            source.hosts.forgetAge()
            source.lookUp()
        }
    }
}
