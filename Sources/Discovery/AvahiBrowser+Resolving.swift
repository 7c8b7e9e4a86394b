// SPDX-License-Identifier: Apache-2.0

package import Endpoints

/// The events on one connection: browsers report the names of instances, and resolvers report their addresses.
extension AvahiBrowser {
    func startBrowser(of type: String) {
        guard let connection = link.connections.first else { return }
        count { $0.connections = link.connections.count }
        do {
            let browser = try TypeBrowser(type, on: connection) { report in
                self.reenter { $0.browser(of: type, reports: report) }
            }
            browsers.updateValue(browser, forKey: type)?.free()
        } catch {
            fail(error)
        }
    }

    /// Makes new resolvers for all sightings of the instance, so that changes which the server announced while this
    /// machine could not receive them are known immediately. Also checks that avahi-daemon responds.
    package nonisolated func refresh(_ instance: ServiceInstance) {
        run {
            $0.askForLife()
            $0.perform($0.browse.refresh(instance))
        }
    }

    /// Sends the current sightings again.
    package nonisolated func retell() {
        run { browser in
            // Without a connection, the state is that of the last connection.
            guard !browser.browsers.isEmpty else { return }
            for event in browser.browse.retelling { browser.tell(event) }
        }
    }

    private func browser(of type: String, reports report: TypeBrowser.Report) {
        queue.reported()
        switch report {
        case .appeared(let key):
            look()
            perform(browse.appeared(key.sharing(type: type), of: type))
        case .disappeared(let key):
            look()
            perform(browse.disappeared(key, of: type, link: network.state(of: key), now: .now))
        case .allForNow: perform(browse.listed(type: type))
        case .failed(let error): fail(error)
        }
    }

    private func resolver(_ number: Int, of key: Sighting.Key, answered resolution: Resolution?) {
        queue.reported()
        var isFresh = false
        if let fresh = freshResolvers[key], fresh.number == number {
            isFresh = true
            freshResolvers[key] = nil
            resolvers.updateValue(fresh, forKey: key)?.free()
            count { $0.resolvers -= 1 }
        }
        guard resolvers[key]?.number == number else { return }
        if resolution == nil { look() }
        let link = network.state(of: key)
        perform(browse.resolved(key, as: resolution, isFresh: isFresh, link: link, now: .now))
    }

    private func perform(_ actions: [BrowseState.Action]) {
        for action in actions {
            switch action {
            case .resolve(let key): queue.append(key)
            case .release(let key): release(key)
            case .resolveAnew(let key): resolveAnew(key)
            case .tell(let event): tell(event)
            case .browseAgain(let type):
                // Deferred, because this is called from the browser that must be freed.
                run { $0.startBrowser(of: type) }
            case .count(.dropped): count { $0.instancesDropped += 1 }
            case .count(.truncated): count { $0.recordsTruncated += 1 }
            case .count(.unanswered): count { $0.unanswered += 1 }
            }
        }
        count {
            $0.silent = browse.silentCount
            $0.namedOnFullestLink = browse.namedOnFullestLink
        }
        awaitExpiry()
        resolveNext()
    }

    /// Makes one resolver in each round of Avahi's loop. In between Avahi can deliver its reports, so that changes of
    /// known instances are not delayed by the calls for new ones.
    private func resolveNext() {
        guard !isResolving, !queue.isEmpty else { return }
        isResolving = true
        run { browser in
            browser.isResolving = false
            if let key = browser.queue.next() { browser.resolve(key) }
            browser.resolveNext()
        }
    }

    private func awaitExpiry() {
        guard expiryTimer == nil, let due = browse.nextExpiry else { return }
        expiryTimer = loop.schedule(after: SuspendingClock.now.duration(to: due)) {
            self.reenter { browser in
                browser.expiryTimer = nil
                let network = browser.network
                browser.perform(browser.browse.expire(now: .now) { network.isAway(Link(of: $0)) })
            }
        }
    }

    /// Starts to watch for links that go up or down without a report from Avahi.
    func watchLinks() {
        network.begin(on: loop) {
            self.reenter { browser in
                // Rate limit: whatever the kernel reports, this wakes the thread at most every 500 ms.
                browser.network.isReporting = false
                browser.loop.schedule(after: .milliseconds(500)) {
                    self.reenter { $0.network.isReporting = true }
                }
                browser.look()
            }
        }
    }

    private func look() {
        guard network.look() else { return }
        run { browser in
            let network = browser.network
            browser.perform(browser.browse.linksChanged(now: .now) { network.isAway($0) })
        }
    }

    private func resolve(_ key: Sighting.Key) {
        do {
            resolvers[key] = try makeResolver(key)
        } catch  where error.isRefusal {
            count { $0.instancesRefused += 1 }
            perform(browse.refused(key))
        } catch {
            fail(error)
        }
    }

    private func resolveAnew(_ key: Sighting.Key) {
        queue.hurry(key)
        guard freshResolvers[key] == nil, resolvers[key] != nil else { return }
        do {
            freshResolvers[key] = try makeResolver(key)
        } catch {
            fail(error)
        }
    }

    private func makeResolver(_ key: Sighting.Key) throws(DiscoveryError) -> Resolver {
        resolversMade += 1
        let number = resolversMade
        let answer: Resolver.Report = { number, key, resolution in
            self.reenter { $0.resolver(number, of: key, answered: resolution) }
        }
        while let connection = link.connections.first(where: { hasRoom($0) }) {
            do {
                return counted(try Resolver(number, of: key, on: connection, report: answer))
            } catch  where error.isClientFull {
                connection.isFull = true
            }
        }
        return counted(try Resolver(number, of: key, on: addConnection(), report: answer))
    }

    private func counted(_ resolver: Resolver) -> Resolver {
        count {
            $0.resolvers += 1
            $0.connections = link.connections.count
        }
        return resolver
    }

    /// Whether the connection can take another object. The browsers count as well; they are on the first connection.
    func hasRoom(_ connection: AvahiConnection) -> Bool {
        let others = connection === link.connections.first ? browsers.count : 0
        return !connection.isFull && connection.resolvers + others < limits.objectsPerConnection
    }

    private func release(_ key: Sighting.Key) {
        queue.remove(key)
        for resolver in [resolvers.removeValue(forKey: key), freshResolvers.removeValue(forKey: key)] {
            guard let resolver else { continue }
            resolver.free()
            count { $0.resolvers -= 1 }
        }
    }
}

extension Sighting.Key {
    /// The same key, with a type string whose memory all instances share.
    fileprivate func sharing(type: String) -> Self {
        guard instance.type.utf8.elementsEqual(type.utf8) else { return self }
        var key = self
        key.instance = ServiceInstance(nameBytes: instance.nameBytes, type: type, domain: instance.domain)
        return key
    }
}
