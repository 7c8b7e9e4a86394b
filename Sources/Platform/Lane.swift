// SPDX-License-Identifier: Apache-2.0

/// First in, first out. What was taken is let go of now and then instead of at every step.
package struct Lane<Element: Sendable>: Sendable {
    private var elements: [Element] = []
    private var start = 0

    package init() {}

    package mutating func append(_ element: Element) { elements.append(element) }

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
