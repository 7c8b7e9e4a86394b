// SPDX-License-Identifier: Apache-2.0

import DataAccess
import Glibc
import LocalAPI
import Locks

/// What servers can do, as far as the calls of this process have shown it. A day old answer is forgotten.
final class KnownFeatures: Sendable {
    private let cache = Lock(FeatureCache())

    static func key(of server: DataAPI.Server, _ adapter: HeldAdapter, _ service: String) -> FeatureKey {
        // A name of a login contains no NUL, which stands for the only login of the server.
        let login = server.anonymous == true ? "" : server.login ?? "\0"
        return FeatureKey(identity: adapter.endpoint, service: service, login: login)
    }

    func features(for key: FeatureKey, isReadOnly: Bool) -> ServerFeatures {
        var features = cache.withLock { $0.features(for: key, now: Int64(time(nil))) } ?? ServerFeatures()
        if isReadOnly { features.merge(.ofReadOnly) }
        return features
    }

    /// Keeps what the notes of a read show.
    func learn(from notes: [ReadNote], _ reader: TableReader, for key: FeatureKey) async {
        var learned = reader
        // The read has succeeded, so an error of these requests is no error of the call.
        try? await learned.learn(from: notes)
        let features = learned.features
        guard features != reader.features else { return }
        cache.withLock { $0.add(features, for: key, now: Int64(time(nil))) }
    }
}
