// SPDX-License-Identifier: Apache-2.0

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
