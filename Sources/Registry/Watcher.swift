// SPDX-License-Identifier: Apache-2.0

import Endpoints

/// Somebody who hears of changes.
struct Watcher {
    let continuation: AsyncThrowingStream<RegistryUpdate, any Error>.Continuation
    /// nil for all endpoints.
    let endpoint: EndpointID?

    func wants(_ change: RegistryChange) -> Bool { endpoint == nil || endpoint == change.endpoint.id }
}
