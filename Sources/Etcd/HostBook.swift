// SPDX-License-Identifier: Apache-2.0

internal import Endpoints

/// A cache of the addresses of the host names in entries, which are looked up one at a time.
struct HostBook {
    private var addresses: [String: [IPAddress]] = [:]
    /// The names to look up, in order.
    private var waiting: [String] = []
    private var needed: Set<String> = []
    private var isBusy = false

    /// Whether every needed name was looked up once.
    var isComplete: Bool { waiting.isEmpty && !isBusy }

    /// - Returns: an empty array if the name has no addresses, or was not looked up yet.
    func addresses(of name: String) -> [IPAddress] { addresses[name] ?? [] }

    /// Sets the names that are needed from now on.
    mutating func need(_ names: Set<String>) {
        let new = names.subtracting(needed)
        needed = names
        addresses = addresses.filter { names.contains($0.key) }
        waiting = waiting.filter { names.contains($0) } + new.sorted()
    }

    /// Queues all names for another look-up. Until then their old addresses count.
    mutating func forgetAge() {
        waiting = needed.sorted()
    }

    /// Queues one name for another look-up, before all others.
    mutating func renew(_ name: String) {
        guard needed.contains(name), !waiting.contains(name) else { return }
        waiting.insert(name, at: 0)
    }

    var isEmpty: Bool { needed.isEmpty }

    /// - Returns: the name to look up now. `found` must be called for it.
    mutating func next() -> String? {
        guard !isBusy, !waiting.isEmpty else { return nil }
        isBusy = true
        return waiting.removeFirst()
    }

    /// - Parameter list: nil if the look-up failed. The known addresses stay then.
    /// - Returns: whether there is something to report: other addresses, in any order, or the end of the queue.
    mutating func found(_ list: [IPAddress]?, for name: String) -> Bool {
        isBusy = false
        guard let list, needed.contains(name), Set(list) != Set(addresses(of: name)) else { return isComplete }
        addresses[name] = list
        return true
    }
}
