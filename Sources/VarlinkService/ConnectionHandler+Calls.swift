// SPDX-License-Identifier: Apache-2.0

import JSON
import Logging
import NIOCore
import Varlink

extension ConnectionHandler {
    /// Sends a reply of call `id`, unless that has had its last one.
    func send(_ reply: Reply, id: UInt64) {
        guard let call = running, call.id == id, !call.hasReplied else { return }
        running?.hasReplied = !reply.continues
        write(reply)
    }

    /// Sends one of several replies, and resumes `writer` when there is room for the next.
    func send(_ reply: Reply, id: UInt64, whenWritable writer: CheckedContinuation<Void, any Error>) {
        guard let call = running, call.id == id else { return writer.resume(throwing: VarlinkCallError.peerGone) }
        guard !call.hasReplied else { return writer.resume(throwing: VarlinkCallError.alreadyReplied) }
        write(reply)
        if let context, !context.channel.isWritable, !call.isOneway {
            running?.writers.append(writer)
            updateClock()
        } else {
            writer.resume()
        }
    }

    func awaitSecret(upTo limit: Int, id: UInt64, _ continuation: CheckedContinuation<SecretBytes, any Error>) {
        guard let call = running, call.id == id else {
            return continuation.resume(throwing: VarlinkCallError.peerGone)
        }
        guard !call.hasReplied else { return continuation.resume(throwing: VarlinkCallError.alreadyReplied) }
        guard call.secret == nil else { return continuation.resume(throwing: VarlinkCallError.alreadyReading) }
        running?.secret = (limit, continuation)
        if !call.isUpgraded {
            running?.isUpgraded = true
            write(Reply(parameters: [:]))
        }
        if !isDispatching { afterDispatch() }
    }

    /// Hands the secret to the method that waits for it, once it is here.
    func deliverSecret() {
        guard let secret = running?.secret else { return }
        guard inbound.count >= 4 else { return abandonSecretIfInputClosed() }
        let length = inbound.withPrefix(4) { prefix in
            Int(UInt32(littleEndian: prefix.loadUnaligned(as: UInt32.self)))
        }
        guard length <= secret.limit else {
            running?.secret = nil
            return secret.continuation.resume(throwing: VarlinkError.invalidParameter("secret"))
        }
        guard inbound.count >= 4 + length else { return abandonSecretIfInputClosed() }
        running?.secret = nil
        inbound.consume(4)
        secret.continuation.resume(returning: inbound.take(length))
    }

    private func abandonSecretIfInputClosed() {
        if isInputClosed { close() }
    }

    /// The method of call `id` has returned or thrown.
    func finish(id: UInt64, throwing error: (any Error)?) {
        guard let call = running, call.id == id else { return }
        if let error {
            if http?.callsAgain(after: error) != true { fail(with: reply(for: error), id: id) }
        } else if !call.hasReplied, !call.isOneway {
            server.logger.error("method returned without a reply")
            fail(with: Reply(error: server.failure.name, parameters: server.failure.parameters), id: id)
        }
        running = nil
        server.callEnded()
        if call.isUpgraded || isDraining || http?.isOver == true { closeWhenFlushed() }
        dispatch()
    }

    private func fail(with reply: Reply, id: UInt64) {
        server.callFailed()
        send(reply, id: id)
    }

    private func reply(for error: any Error) -> Reply {
        switch error {
        case let error as VarlinkError:
            return Reply(error: error.name, parameters: error.parameters)
        case let error as any VarlinkErrorRecord:
            return reply(for: VarlinkError(error))
        case let error as JSONShapeError:
            return reply(for: VarlinkError.invalidParameter(error.path))
        default:
            if !(error is VarlinkCallError), !(error is CancellationError) {
                server.logger.error("call failed", metadata: ["error": "\(error)"])
            }
            return Reply(error: server.failure.name, parameters: server.failure.parameters)
        }
    }

    private func write(_ reply: Reply) {
        guard let context, running?.isOneway != true, !isClosing else { return }
        let frame: ByteBuffer
        if let http {
            server.scratch.removeAll(keepingCapacity: true)
            http.write(reply, into: &server.scratch)
            frame = ByteBuffer(bytes: server.scratch)
        } else {
            frame = reply.frame(using: &server.scratch)
        }
        context.write(wrapOutboundOut(frame), promise: nil)
        // One long list is no reason to hold as much for ever.
        if server.scratch.count > server.limits.outboundBytes { server.scratch = [] }
        if isDispatching {
            needsFlush = true
        } else {
            context.flush()
        }
    }
}
