// SPDX-License-Identifier: Apache-2.0

import Endpoints
import NIOCore
import NIOPosix

/// Looks host names up for probes: one at a time, so that probes hold one of the two threads for look-ups at most, and
/// the other is left to people's calls however slow the name server is.
actor ProbeLookUps {
    private let resolver: HostResolver
    private let loop: any EventLoop
    /// Done when the look-up before has ended, whether or not anybody waits for it still.
    private var previous: EventLoopFuture<Void>

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.executor.asUnownedSerialExecutor() }

    init(pool: NIOThreadPool, loop: any EventLoop) {
        resolver = HostResolver(pool: pool)
        self.loop = loop
        previous = loop.makeSucceededVoidFuture()
    }

    /// - Throws: `BrokerError.unreachable` with the resolver's reason, or because it took too long.
    func addresses(of name: String, before deadline: NIODeadline) async throws -> [IPAddress] {
        let answer = loop.makePromise(of: [IPAddress].self)
        let timer = loop.scheduleTask(deadline: deadline) {
            answer.fail(BrokerError.unreachable(StateReason(.lookUpTimeout)))
        }
        defer { timer.cancel() }
        let ended = loop.makePromise(of: Void.self)
        previous.whenComplete { [resolver, loop] _ in
            guard .now() < deadline else { return ended.succeed() }
            let lookUp = resolver.pool.runIfActive(eventLoop: loop) { try HostResolver.lookUp(name) }
            lookUp.cascade(to: answer)
            lookUp.map { _ in }.cascade(to: ended)
        }
        previous = ended.futureResult
        return try await withTaskCancellationHandler {
            try await answer.futureResult.get()
        } onCancel: {
            answer.fail(CancellationError())
        }
    }
}
