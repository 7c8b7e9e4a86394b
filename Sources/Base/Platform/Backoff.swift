// SPDX-License-Identifier: Apache-2.0

/// Exponential backoff between attempts, with jitter so that many machines do not retry in step.
package struct Backoff: Sendable, Hashable {
    private let shortest: Duration
    private let longest: Duration
    private var next: Duration

    /// - Parameters:
    ///   - shortest: the first interval, before jitter.
    ///   - longest: the upper limit of every interval.
    package init(shortest: Duration, longest: Duration) {
        self.shortest = shortest
        self.longest = longest
        next = shortest
    }

    /// Returns the interval before the next attempt: between half and all of its value without jitter. That value
    /// doubles with each call, up to `longest`.
    ///
    /// - Parameter limit: shortens this interval only.
    package mutating func pause(
        atMost limit: Duration? = nil,
        using random: inout some RandomNumberGenerator
    ) -> Duration {
        let pause = min(next, limit ?? next) * Double.random(in: 0.5...1, using: &random)
        next = min(next * 2, longest)
        return pause
    }

    /// Starts again with the shortest interval.
    package mutating func reset() {
        next = shortest
    }
}

/// FIFO queue. Popped elements are removed from the array in batches, so that `pop` takes amortised constant time.
package struct Lane<Element: Sendable>: Sendable {
    private var elements: [Element] = []
    private var start = 0

    /// An empty queue.
    package init() {}

    /// Adds an element at the end.
    package mutating func append(_ element: Element) { elements.append(element) }

    /// Removes and returns the first element; nil if the queue is empty.
    package mutating func pop() -> Element? {
        guard start < elements.count else { return nil }
        let element = elements[start]
        start += 1
        if start > 64, start > elements.count / 2 {
            elements.removeFirst(start)
            start = 0
        }
        return element
    }
}
