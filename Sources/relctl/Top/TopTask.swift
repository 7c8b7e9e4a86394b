// SPDX-License-Identifier: Apache-2.0

import JSON
import LocalAPI
import Varlink

/// A call under way.
final class TopTask {
    let call: TopCall
    private let pending: VarlinkPendingCall
    /// When its first reply is overdue; nil once that has come.
    private(set) var due: ContinuousClock.Instant?

    /// - Throws: `VarlinkClientError`
    init(_ call: TopCall) throws {
        self.call = call
        pending = try VarlinkPendingCall(
            path: SocketPath.ofClient(),
            method: type(of: call.request).method,
            parameters: call.request.json,
            wantsMore: call.isStream
        )
        due = .now + call.patience
    }

    var descriptor: Int32 { pending.descriptor }

    /// Tells what has come.
    ///
    /// - Returns: whether more may come.
    func take(_ tell: (TopEvent) -> Void) -> Bool {
        do {
            while let reply = try pending.nextReply() {
                due = nil
                tell(.reply(call, reply))
                guard call.isStream else { return false }
            }
            guard let due, due <= .now else { return true }
            throw VarlinkClientError.deadlinePassed
        } catch {
            tell(Self.failure(of: call, error))
            return false
        }
    }

    static func failure(of call: TopCall, _ error: any Error) -> TopEvent {
        let error = (error as? VarlinkError).flatMap { DaemonError($0) } ?? error
        let failure = Failure(error)
        return .failed(call, message: failure?.message ?? "\(error)", hint: failure?.hint?.command)
    }
}
