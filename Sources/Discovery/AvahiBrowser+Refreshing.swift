// SPDX-License-Identifier: Apache-2.0

package import Endpoints

extension AvahiBrowser {
    /// Opens the instance's resolvers anew: one that is open tells what it hears, but does not ask again until the records
    /// that it has expire.
    package nonisolated func refresh(_ instance: ServiceInstance) {
        run { $0.resolveAgain(instance) }
    }

    private func resolveAgain(_ instance: ServiceInstance) {
        for key in resolvers.keys.filter({ $0.instance == instance }) {
            release(key)
            resolve(key)
        }
    }
}
