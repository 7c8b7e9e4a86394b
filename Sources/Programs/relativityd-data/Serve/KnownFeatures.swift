// SPDX-License-Identifier: Apache-2.0

import DataAccess
import Glibc
import LocalAPI
import Locks

/// The features of servers that the calls of this process have shown. An answer is kept for a day.
final class KnownFeatures: Sendable {
    private let cache = Lock(FeatureCache())

    static func key(of adapter: AdaptersAPI.OpenReply, _ service: String) -> FeatureKey {
        FeatureKey(identity: adapter.endpoint, service: service, login: adapter.login ?? "")
    }

    func features(for key: FeatureKey, isReadOnly: Bool) -> ServerFeatures {
        var features = cache.withLock { $0.features(for: key, now: Int64(time(nil))) } ?? ServerFeatures()
        if isReadOnly { features.merge(.ofReadOnly) }
        return features
    }

    /// Keeps what the notes of a read show.
    func learn(from notes: [ReadNote], _ reader: inout TableReader, for key: FeatureKey) async {
        let before = reader.features
        // The read has succeeded, so an error of these requests is no error of the call.
        try? await reader.learn(from: notes)
        let features = reader.features
        guard features != before else { return }
        cache.withLock { $0.add(features, for: key, now: Int64(time(nil))) }
    }
}
