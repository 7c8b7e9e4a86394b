// SPDX-License-Identifier: Apache-2.0

import JSON
import Logging
import NIOCore

extension ConnectionHandler {
    /// So much waits behind the running call that reading stops.
    var isFull: Bool {
        running != nil && inbound.count > max(server.limits.frameBytes, VarlinkCall.maximumSecretBytes + 4)
    }

    /// Starts calls until one has to be waited for or no whole frame is left.
    func dispatch() {
        guard !isDispatching else { return }
        isDispatching = true
        while running == nil, !isClosing, let request = nextRequest() {
            start(request)
        }
        isDispatching = false
        if needsFlush {
            needsFlush = false
            context?.flush()
        }
        afterDispatch()
    }

    private func nextRequest() -> Request? {
        if let http { return http.takeRequest() }
        guard let length = inbound.frameLength() else { return nil }
        guard length <= server.limits.frameBytes else {
            refuse("request too long")
            return nil
        }
        let request = inbound.withPrefix(length) { frame in
            Result { try Request(parsing: frame, limits: server.limits) }
        }
        inbound.consume(length + 1)
        switch request {
        case .success(let request): return request
        case .failure(let error):
            refuse("\(error)")
            return nil
        }
    }

    func afterDispatch() {
        guard !isClosing else { return }
        deliverSecret()
        if running == nil {
            if inbound.count > server.limits.frameBytes { return refuse("request too long") }
            if isInputClosed { return closeWhenFlushed() }
        }
        updateClock()
        if isReadHeldBack, !isFull {
            isReadHeldBack = false
            context?.read()
        }
    }

    private func refuse(_ reason: String) {
        server.logger.debug("connection closed", metadata: ["pid": "\(peer.pid)", "reason": "\(reason)"])
        closeWhenFlushed()
    }

    private func start(_ request: Request) {
        guard let context else { return }
        lastID += 1
        running = RunningCall(id: lastID, isOneway: request.isOneway, isStream: request.wantsMore)
        clock.callStarted()
        server.callStarted()
        let route: MethodTable.Route
        do {
            route = try server.methods.route(request.method)
        } catch {
            return finish(id: lastID, throwing: error)
        }
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        let call = VarlinkCall(request, method: route.method, peer: peer, id: lastID, handler: handler)
        let interface = route.interface
        // Here the socket's events become structured code. The task ends with its call, and is cancelled with the
        // connection.
        let task = server.executor.starting {
            Task(executorPreference: server.executor) {
                do {
                    try await interface.call(call)
                    call.finish(throwing: nil)
                } catch {
                    call.finish(throwing: error)
                }
            }
        }
        if running?.id == lastID { running?.task = task }
    }
}
