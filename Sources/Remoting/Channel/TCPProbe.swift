// SPDX-License-Identifier: Apache-2.0

package import NIOCore

/// Learns whether anybody accepts connections at an address. Sends nothing, and hangs up at once.
package enum TCPProbe {
    /// - Parameter end: when to give up, if that is before `deadline` has passed.
    /// - Throws: `unreachable`, `deadline` at `end`, or `CancellationError` as soon as the task is cancelled.
    package static func connect(
        to address: SocketAddress,
        on loop: any EventLoop,
        deadline: Duration = .seconds(3),
        before end: NIODeadline = .distantFuture
    ) async throws {
        let connector = RemotingConnector(address: address, timeout: deadline, loop: loop, tls: nil)
        let (channel, _) = try await connector.connect(before: end) { _ in }
        channel.close(promise: nil)
    }
}
