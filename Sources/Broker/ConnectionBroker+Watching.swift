// SPDX-License-Identifier: Apache-2.0

import EventLoops
import NIOCore

/// Telling which adapters come and go, and why.
extension ConnectionBroker {
    private static let mostWatchers = 64
    /// News that a watcher may be behind.
    private static let mostNews = 256

    /// The adapters that are open now, and what happens from now on. The news end for a watcher that is too slow.
    ///
    /// - Throws: `BrokerError.tooManyWatchers`
    package func watch() throws(BrokerError) -> (adapters: [Adapter], news: AsyncStream<AdapterNews>) {
        guard watchers.count < Self.mostWatchers else { throw .tooManyWatchers(limit: Self.mostWatchers) }
        let (news, continuation) = AsyncStream.makeStream(
            of: AdapterNews.self,
            bufferingPolicy: .bufferingOldest(Self.mostNews)
        )
        lastWatcher += 1
        let number = lastWatcher
        watchers[number] = continuation
        continuation.onTermination = { [weak self, loop = connector.loop] _ in
            guard let self else { return }
            loop.execute(for: self) { $0.watchers[number] = nil }
        }
        return (openAdapters, news)
    }

    func tell(_ news: AdapterNews) {
        for (number, watcher) in watchers {
            guard case .dropped = watcher.yield(news) else { continue }
            watchers[number] = nil
            watcher.finish()
        }
    }
}
