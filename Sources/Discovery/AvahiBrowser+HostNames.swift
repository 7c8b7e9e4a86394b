// SPDX-License-Identifier: Apache-2.0

package import Endpoints
package import NIOCore

/// A question for a host's addresses that Avahi has not answered in full.
struct HostNameQuestion {
    var resolvers: [HostNameResolver] = []
    var answers = HostNameAnswers()
    let reply: EventLoopPromise<[IPAddress]?>
}

extension AvahiBrowser {
    private static let questionLimit = 16

    /// The addresses that multicast DNS has for a host name (RFC 6762, section 3) now: IPv4 first, one of each family.
    ///
    /// - Parameters:
    ///   - name: ends in `.local`.
    ///   - patience: how long hosts may take to answer.
    /// - Returns: empty where no host answers to the name; nil where Avahi cannot be asked, or does not answer itself.
    package nonisolated func addresses(
        of name: String,
        within patience: Duration,
        on eventLoop: any EventLoop
    ) async -> [IPAddress]? {
        let reply = eventLoop.makePromise(of: [IPAddress]?.self)
        // If Avahi's thread hangs, the question does not end there.
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
                    self.assumeIsolated { $0.question(number, answered: family, address) }
                }
                questions[number]?.resolvers.append(resolver)
            }
        } catch {
            finish(number, with: nil)
            if !error.isRefusal, !error.isClientFull { fail(error) }
            return
        }
        loop.schedule(after: patience) { self.assumeIsolated { $0.finish(number) } }
    }

    private func question(_ number: Int, answered family: AddressFamily, _ address: IPAddress?) {
        switch questions[number]?.answers.answered(family, address) {
        case .wait, nil: break
        case .waitBriefly:
            loop.schedule(after: HostNameAnswers.grace) { self.assumeIsolated { $0.finish(number) } }
        case .finish:
            // Not at once: the resolver to be freed is the one that reports.
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

    /// Ends all questions, whose resolvers were freed together with their connection.
    func dropQuestions() {
        for question in questions.values { question.reply.succeed(nil) }
        questions = [:]
    }
}
