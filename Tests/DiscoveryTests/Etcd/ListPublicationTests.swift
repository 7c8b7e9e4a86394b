// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Testing

@testable import Discovery

/// No etcd, no clock and no resolver: the actions are compared.
@Suite struct ListPublicationTests {
    private static let address = IPAddress("10.1.2.3")
    private var publication: ListPublication

    init() throws {
        publication = ListPublication(
            of: EtcdList(name: "fleet", servers: [try ServerURL(completing: "http://10.0.0.1:2379")], prefix: "/fleet")
        )
    }

    /// A list with an entry for each host.
    private func contents(_ hosts: String...) -> ListContents {
        var contents = ListContents(prefix: "/fleet", limits: EtcdLimits())
        for host in hosts {
            contents.put(
                EtcdPair(key: Array("/fleet/\(host)".utf8), value: Array("{\"url\": \"http://\(host):7099/bin\"}".utf8))
            )
        }
        return contents
    }

    /// The actions in short: events by what they are, not by their sightings.
    private func text(_ actions: [ListPublication.Action]) -> [String] {
        actions.map { action in
            switch action {
            case .emit(let events): "emit " + events.map(Self.text).sorted().joined(separator: ", ")
            case .report(let omissions): "report \(omissions.count)"
            case .lookUp(let name): "look up \(name)"
            case .lookUpLater: "look up later"
            case .wait: "wait"
            }
        }
    }

    private static func text(_ event: SightingEvent) -> String {
        switch event {
        case .sighted(let sighting): "sighted \(sighting.host)"
        case .vanished(let key): "vanished \(key.instance.name)"
        case .settled: "settled"
        case .source(.up): "up"
        case .source: "down"
        default: "other"
        }
    }

    @Test("a source that is up emits its list, and then that this is all")
    mutating func beginning() {
        #expect(publication.currentEvents.isEmpty)
        #expect(text(publication.became(.up)) == ["emit up"])
        let list = contents("10.1.2.3", "10.1.2.4")
        let first = text(publication.changed(list))
        #expect(
            first == [
                "emit sighted 10.1.2.3, sighted 10.1.2.4", "report 0",
                "emit settled, sighted 10.1.2.3, sighted 10.1.2.4", "wait",
            ]
        )
        #expect(text(publication.publish(list)) == ["report 0"], "nothing is new")
        #expect(publication.currentEvents.count == 2)
        #expect(text(publication.became(.down(SourceFault(code: .etcdSilent, servers: [])))) == ["emit down"])
        #expect(publication.currentEvents.isEmpty)
    }

    @Test("changes that follow within the interval are emitted together after it")
    mutating func interval() {
        _ = publication.became(.up)
        _ = publication.changed(contents())
        #expect(publication.changed(contents("10.1.2.3")).isEmpty)
        #expect(publication.changed(contents("10.1.2.4")).isEmpty)
        #expect(text(publication.waited(contents("10.1.2.4"))) == ["emit sighted 10.1.2.4", "report 0", "wait"])
        #expect(publication.waited(contents("10.1.2.4")).isEmpty, "nothing has changed since")
        #expect(text(publication.changed(contents())) == ["emit vanished 10.1.2.4", "report 0", "wait"])
    }

    @Test("host names are looked up one at a time, and the list is complete after the last")
    mutating func names() throws {
        let list = contents("a.example", "b.example")
        let address = try #require(Self.address)
        _ = publication.became(.up)
        #expect(text(publication.changed(list)) == ["look up a.example", "report 0", "wait"])
        #expect(text(publication.lookedUp("a.example", [address], in: list)) == ["look up b.example"])
        #expect(text(publication.lookedUp("b.example", nil, in: list)) == ["look up later"])
        #expect(
            text(publication.waited(list)) == [
                "emit sighted a.example", "report 1", "emit settled, sighted a.example", "wait",
            ]
        )
        #expect(text(publication.lookUpsDue()) == ["look up a.example"])
    }

    @Test("a name that is in doubt is looked up before the others; an unknown one is not")
    mutating func refresh() {
        let list = contents("a.example", "b.example")
        _ = publication.changed(list)
        #expect(text(publication.refresh("b.example")) == ["look up later"], "it is in the queue already")
        _ = publication.lookedUp("a.example", [], in: list)
        _ = publication.lookedUp("b.example", [], in: list)
        #expect(text(publication.refresh("b.example")) == ["look up b.example"])
        _ = publication.lookedUp("b.example", [], in: list)
        #expect(publication.refresh("c.example").isEmpty)
    }

    @Test("nothing happens after the stop")
    mutating func stop() {
        let list = contents("10.1.2.3", "a.example")
        _ = publication.became(.up)
        _ = publication.changed(list)
        publication.stop()
        #expect(publication.changed(list).isEmpty)
        #expect(publication.publish(list).isEmpty)
        #expect(publication.lookedUp("a.example", nil, in: list).isEmpty)
        #expect(publication.lookUpsDue().isEmpty)
    }
}
