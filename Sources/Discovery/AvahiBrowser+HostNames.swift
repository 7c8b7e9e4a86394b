// SPDX-License-Identifier: Apache-2.0

package import Endpoints
package import NIOCore

/// A query for a host's addresses that is not completely answered yet.
struct HostNameQuestion {
    var resolvers: [HostNameResolver] = []
    var answers = HostNameAnswers()
    let reply: EventLoopPromise<[IPAddress]?>
}

extension AvahiBrowser {
    private static let questionLimit = 16

    /// Returns the addresses that multicast DNS has for a host name now (RFC 6762, section 3): IPv4 first, one of
    /// each family.
    ///
    /// - Parameters:
    ///   - name: a name that ends in `.local`.
    ///   - patience: how long to wait for hosts to answer.
    /// - Returns: an empty array if no host answers to the name; nil if Avahi cannot be queried or does not respond.
    package nonisolated func addresses(
        of name: String,
        within patience: Duration,
        on eventLoop: any EventLoop
    ) async -> [IPAddress]? {
        let reply = eventLoop.makePromise(of: [IPAddress]?.self)
        // If Avahi's thread hangs, `finish` is not called, so this timer ends the query.
        let timer = eventLoop.scheduleTask(in: TimeAmount(patience + .seconds(1))) { reply.succeed(nil) }
        defer { timer.cancel() }
        run { $0.ask(for: name, within: patience, reply: reply) }
        return await withTaskCancellationHandler {
            (try? await reply.futureResult.get()) ?? nil
        } onCancel: {
            reply.succeed(nil)
        }
    }

    private func ask(for name: String, within patience: Duration, reply: EventLoopPromise<[IPAddress]?>) {
        guard questions.count < Self.questionLimit, link.state.isUsable,
            let connection = link.connections.first(where: { hasRoom($0) })
        else { return reply.succeed(nil) }
        questionsAsked += 1
        let number = questionsAsked
        questions[number] = HostNameQuestion(reply: reply)
        do {
            for family in [AddressFamily.inet, .inet6] {
                let resolver = try HostNameResolver(name, family, on: connection) { address in
                    self.reenter { $0.question(number, answered: family, address) }
                }
                questions[number]?.resolvers.append(resolver)
            }
        } catch {
            finish(number, with: nil)
            if !error.isRefusal, !error.isClientFull { fail(error) }
            return
        }
        loop.schedule(after: patience) { self.reenter { $0.finish(number) } }
    }

    private func question(_ number: Int, answered family: AddressFamily, _ address: IPAddress?) {
        switch questions[number]?.answers.answered(family, address) {
        case .wait, nil: break
        case .waitBriefly:
            loop.schedule(after: HostNameAnswers.grace) { self.reenter { $0.finish(number) } }
        case .finish:
            // Deferred, because this is called from the resolver that must be freed.
            run { $0.finish(number) }
        }
    }

    private func finish(_ number: Int) {
        finish(number, with: questions[number]?.answers.addresses)
    }

    private func finish(_ number: Int, with addresses: [IPAddress]?) {
        guard let question = questions.removeValue(forKey: number) else { return }
        for resolver in question.resolvers { resolver.free() }
        question.reply.succeed(addresses)
    }

    /// Ends all queries. Their resolvers were freed together with their connection.
    func dropQuestions() {
        for question in questions.values { question.reply.succeed(nil) }
        questions = [:]
    }
}
