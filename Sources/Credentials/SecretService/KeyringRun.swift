// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
import KeyringWire
import Platform

/// One question to the Secret Service, answered by one run of the helper.
struct KeyringRun {
    enum Failure: Error, Hashable {
        /// The Secret Service refused. `detail` is its message, safe to show.
        case keyring(KeyringFailure, detail: String)
        /// The user was asked for the keyring's password and has not answered.
        case unanswered(Duration)
        case silent(Duration)
        case noHelper(path: String, errno: Int32)
        /// The helper exited with this wait status.
        case helperEnded(status: Int32)
        case notUnderstood
        /// This process failed to allocate memory.
        case local(PlatformError)
    }

    private enum Answer: ~Copyable {
        case bytes(Secret)
        case refused(KeyringFailure, detail: String)
        case notUnderstood
    }

    private static let detailColumns = 160

    let helper: String
    let environment: [String]
    let patience: Duration

    /// Runs the helper.
    ///
    /// - Parameter body: the bytes to store.
    /// - Returns: the bytes that were looked up; empty for the other verbs.
    func answer(
        _ question: KeyringQuestion,
        _ body: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0),
        in arena: SecretArena
    ) throws(Failure) -> Secret {
        let process = try start()
        var isAsking = false
        let answer: Answer
        do throws(HelperProcess.Failure) {
            try process.send(question.bytes)
            try process.send(body)
            answer = try Self.answer(from: process, &isAsking, in: arena)
        } catch {
            switch error {
            case .late: throw isAsking ? .unanswered(patience) : .silent(patience)
            case .local(let error): throw .local(error)
            case .closed, .notStarted, .stopped: throw .helperEnded(status: process.finish())
            }
        }
        switch consume answer {
        case .bytes(let secret): return secret
        case .refused(let failure, let detail): throw .keyring(failure, detail: detail)
        case .notUnderstood: throw .notUnderstood
        }
    }

    private func start() throws(Failure) -> HelperProcess {
        do throws(HelperProcess.Failure) {
            return try HelperProcess(helper, environment: environment, end: .now + patience)
        } catch {
            guard case .notStarted(let number) = error else { throw .silent(patience) }
            throw .noHelper(path: helper, errno: number)
        }
    }

    /// Reads the answer of the helper.
    ///
    /// - Parameter isAsking: becomes true when the helper reports that the keyring asks the user.
    private static func answer(
        from process: HelperProcess,
        _ isAsking: inout Bool,
        in arena: SecretArena
    ) throws(HelperProcess.Failure) -> Answer {
        while true {
            switch KeyringReply(try process.receive(byteCount: KeyringReply.byteCount)) {
            case .asking:
                isAsking = true
            case .done(let count):
                return .bytes(try process.receive(secretOf: count, in: arena))
            case .failed(let failure, let count):
                let detail = Printable(bytes: try process.receive(byteCount: count), columns: detailColumns)
                return .refused(failure, detail: detail.description)
            case nil:
                return .notUnderstood
            }
        }
    }
}
