// SPDX-License-Identifier: Apache-2.0

internal import Endpoints

/// The addresses of the host names that entries have, looked up one at a time.
struct HostBook {
    private var addresses: [String: [IPAddress]] = [:]
    /// Those that were asked for and never answered.
    private var waiting: [String] = []
    private var needed: Set<String> = []
    private var isBusy = false

    /// Every name that is needed has been looked up once.
    var isComplete: Bool { waiting.isEmpty && !isBusy }

    /// - Returns: none where the name has none, or is not known yet.
    func addresses(of name: String) -> [IPAddress] { addresses[name] ?? [] }

    /// Says which names are needed from now on.
    mutating func need(_ names: Set<String>) {
        let new = names.subtracting(needed)
        needed = names
        addresses = addresses.filter { names.contains($0.key) }
        waiting = waiting.filter { names.contains($0) } + new.sorted()
    }

    /// All of them are to be looked up anew; until then the old addresses count.
    mutating func forgetAge() {
        waiting = needed.sorted()
    }

    /// One of them is to be looked up anew, before all others.
    mutating func renew(_ name: String) {
        guard needed.contains(name), !waiting.contains(name) else { return }
        waiting.insert(name, at: 0)
    }

    var isEmpty: Bool { needed.isEmpty }

    /// - Returns: the name to look up now; `found` is to follow.
    mutating func next() -> String? {
        guard !isBusy, !waiting.isEmpty else { return nil }
        isBusy = true
        return waiting.removeFirst()
    }

    /// - Parameter list: nil where the look-up failed: what was known stays.
    /// - Returns: whether there is something to tell: other addresses, whatever their order, or that this was the last
    ///   name.
    mutating func found(_ list: [IPAddress]?, for name: String) -> Bool {
        isBusy = false
        guard let list, needed.contains(name), Set(list) != Set(addresses(of: name)) else { return isComplete }
        addresses[name] = list
        return true
    }
}
