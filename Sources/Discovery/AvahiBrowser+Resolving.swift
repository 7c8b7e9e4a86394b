// SPDX-License-Identifier: Apache-2.0

internal import Endpoints

/// What happens on one connection: browsers name instances, resolvers answer for them.
extension AvahiBrowser {
    func startBrowser(of type: String) {
        guard let connection = connections.first else { return }
        do {
            let browser = try TypeBrowser(type, on: connection) { report in
                self.assumeIsolated { $0.browser(of: type, reports: report) }
            }
            browsers.updateValue(browser, forKey: type)?.free()
        } catch {
            fail(error)
        }
    }

    private func browser(of type: String, reports report: TypeBrowser.Report) {
        switch report {
        case .appeared(let key): perform(browse.appeared(key, of: type))
        case .disappeared(let key): perform(browse.disappeared(key, of: type))
        case .allForNow: perform(browse.listed(type: type))
        case .failed(let error): fail(error)
        }
    }

    private func perform(_ actions: [BrowseState.Action]) {
        for action in actions {
            switch action {
            case .resolve(let key): resolve(key)
            case .release(let key): release(key)
            case .tell(let event): tell(event)
            case .browseAgain(let type):
                // Not at once: the browser to be freed is the one that reports.
                run { $0.startBrowser(of: type) }
            case .count(.dropped): count { $0.instancesDropped += 1 }
            case .count(.truncated): count { $0.recordsTruncated += 1 }
            case .count(.unanswered): count { $0.unanswered += 1 }
            }
        }
    }

    func resolve(_ key: Sighting.Key) {
        do {
            resolvers[key] = try makeResolver(key)
            count { $0.resolvers += 1 }
        } catch  where error.isRefusal {
            count { $0.instancesRefused += 1 }
            perform(browse.refused(key))
        } catch {
            fail(error)
        }
    }

    private func makeResolver(_ key: Sighting.Key) throws(DiscoveryError) -> Resolver {
        let answer: @Sendable (Resolution?) -> Void = { resolution in
            self.assumeIsolated { $0.perform($0.browse.resolved(key, as: resolution)) }
        }
        while let connection = connections.first(where: { hasRoom($0) }) {
            do {
                return try Resolver(key, on: connection, report: answer)
            } catch  where error.isClientFull {
                connection.isFull = true
            }
        }
        return try Resolver(key, on: addConnection(), report: answer)
    }

    /// The browsers count too: they are on the first connection.
    private func hasRoom(_ connection: AvahiConnection) -> Bool {
        let others = connection === connections.first ? browsers.count : 0
        return !connection.isFull && connection.resolvers + others < limits.objectsPerConnection
    }

    func release(_ key: Sighting.Key) {
        guard let resolver = resolvers.removeValue(forKey: key) else { return }
        resolver.free()
        count { $0.resolvers -= 1 }
    }
}
