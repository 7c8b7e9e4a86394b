// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Testing

@testable import Discovery

@Suite("Decisions about resolving and events")
struct BrowseStateTests {
    private static let type = "_xy._tcp"
    private var state = BrowseState(types: [BrowseStateTests.type], limit: 10)

    @Test("an instance is resolved once, reported when it has a result, and again only if the result changes")
    mutating func answers() {
        let key = key("a")
        #expect(state.appeared(key, of: Self.type) == [.resolve(key)])
        #expect(state.appeared(key, of: Self.type) == [])
        #expect(state.resolved(key, as: resolution(port: 1)) == [.tell(.sighted(sighting(key, port: 1)))])
        #expect(state.resolved(key, as: resolution(port: 1)) == [])
        #expect(state.resolved(key, as: resolution(port: 2)) == [.tell(.sighted(sighting(key, port: 2)))])
        #expect(state.disappeared(key, of: Self.type) == [.release(key), .tell(.vanished(key))])
        #expect(state.disappeared(key, of: Self.type) == [])
        #expect(state.resolved(key, as: resolution(port: 3)) == [], "a late answer")
    }

    @Test("an instance without a result disappears without an event")
    mutating func silent() {
        _ = state.listed(type: Self.type)
        let key = key("a")
        _ = state.appeared(key, of: Self.type)
        #expect(state.resolved(key, as: nil) == [.count(.unanswered)])
        #expect(state.disappeared(key, of: Self.type) == [.release(key)])
    }

    @Test("an instance whose result expired has vanished, and is reported again with the next result")
    mutating func expired() {
        let key = key("a")
        _ = state.appeared(key, of: Self.type)
        _ = state.resolved(key, as: resolution(port: 1))
        #expect(state.resolved(key, as: nil) == [.count(.unanswered), .tell(.vanished(key))])
        #expect(state.resolved(key, as: nil) == [.count(.unanswered)])
        #expect(state.resolved(key, as: resolution(port: 1)) == [.tell(.sighted(sighting(key, port: 1)))])
    }

    @Test("settled is emitted once, after every type was listed and every listed instance has a result or failed")
    func settled() {
        let other = "_zz._tcp"
        var state = BrowseState(types: [Self.type, other], limit: 10)
        let (a, b, c) = (key("a"), key("b"), key("c"))
        for key in [a, b] { _ = state.appeared(key, of: Self.type) }
        #expect(state.listed(type: Self.type) == [])
        _ = state.appeared(c, of: Self.type)
        #expect(state.resolved(a, as: resolution(port: 1)).count == 1)
        #expect(state.listed(type: other) == [])
        _ = state.appeared(key("late"), of: Self.type)
        #expect(state.resolved(b, as: nil) == [.count(.unanswered)])
        #expect(state.disappeared(c, of: Self.type) == [.release(c), .tell(.settled)])
        #expect(state.listed(type: other) == [])
        #expect(state.resolved(key("late"), as: resolution(port: 1)).count == 1)
    }

    @Test("an empty link is settled as soon as it was listed")
    mutating func empty() {
        #expect(state.listed(type: Self.type) == [.tell(.settled)])
    }

    @Test("an instance that Avahi refuses does not delay settling")
    mutating func refused() {
        let key = key("a")
        _ = state.appeared(key, of: Self.type)
        _ = state.listed(type: Self.type)
        #expect(state.refused(key) == [.tell(.settled)])
        #expect(state.disappeared(key, of: Self.type) == [.release(key)])
    }

    @Test("instances above the limit are dropped and counted, and the type is browsed again when there is capacity")
    func limit() {
        var state = BrowseState(types: [Self.type], limit: 4)
        let keys = (0..<4).map { key("\($0)") }
        for key in keys { #expect(state.appeared(key, of: Self.type) == [.resolve(key)]) }
        #expect(state.appeared(key("5"), of: Self.type) == [.count(.dropped)])
        #expect(state.disappeared(key("5"), of: Self.type) == [])
        #expect(state.disappeared(keys[0], of: Self.type).contains(.browse(type: Self.type)))
        #expect(!state.disappeared(keys[1], of: Self.type).contains(.browse(type: Self.type)))
        #expect(state.appeared(keys[2], of: Self.type) == [], "the new browser names what is known")
        #expect(state.appeared(key("5"), of: Self.type) == [.resolve(key("5"))])
    }

    @Test(
        "types of Data Abstract servers are those that end like the vendor's",
        arguments: [
            ("_Relativity_DataService_rosdk._tcp", true), ("_a_ROSDK._tcp", true), ("__rosdk._tcp", false),
            ("_rosdk._tcp", false), ("_http._tcp", false), ("_a_rosdk._udp", false), ("a_rosdk._tcp", false),
            ("_a b_rosdk._tcp", false), ("_\u{E4}_rosdk._tcp", false),
            ("_\(String(repeating: "x", count: 60))_rosdk._tcp", false),
        ]
    )
    func pattern(type: String, isMatching: Bool) { #expect(ServiceTypePattern.matches(type) == isMatching) }

    @Test("announced types are browsed until no link announces them and their instances are gone")
    func types() {
        let all = ServiceTypePattern.all
        var state = BrowseState(types: [all, Self.type], limit: 10)
        let custom = "_Shop_rosdk._tcp"
        let (wired, wireless) = (Link(interface: 2, family: .inet), Link(interface: 3, family: .inet))
        #expect(state.appeared(type: "_http._tcp", on: wired) == [])
        #expect(state.appeared(type: Self.type, on: wired) == [])
        #expect(state.appeared(type: custom, on: wired) == [.browse(type: custom)])
        #expect(state.appeared(type: custom, on: wireless) == [])
        #expect(state.listed(type: all) == [] && state.listed(type: Self.type) == [])
        #expect(state.listed(type: custom) == [.tell(.settled)])
        let key = key("a")
        #expect(state.appeared(key, of: custom) == [.resolve(key)])
        #expect(state.disappeared(type: custom, on: wired) == [])
        #expect(state.disappeared(type: custom, on: wireless) == [])
        #expect(state.disappeared(key, of: custom) == [.release(key), .stopBrowsing(type: custom)])
        #expect(state.disappeared(type: custom, on: wired) == [])
        #expect(state.appeared(type: custom, on: wired) == [.browse(type: custom)])
        #expect(state.disappeared(type: custom, on: wired) == [.stopBrowsing(type: custom)])
    }

    @Test("invented types above the limit are counted, and all are listed again when there is capacity")
    func typeLimit() {
        let all = ServiceTypePattern.all
        var state = BrowseState(types: [all], limit: 10)
        let link = Link(interface: 2, family: .inet)
        let most = ServiceTypePattern.mostTypes - 1
        for number in 1...most {
            #expect(state.appeared(type: "_\(number)_rosdk._tcp", on: link) == [.browse(type: "_\(number)_rosdk._tcp")])
        }
        #expect(state.appeared(type: "_late_rosdk._tcp", on: link) == [.count(.typeDropped)])
        #expect(
            state.disappeared(type: "_1_rosdk._tcp", on: link)
                == [.stopBrowsing(type: "_1_rosdk._tcp"), .browse(type: all)]
        )
        #expect(state.appeared(type: "_late_rosdk._tcp", on: link) == [.browse(type: "_late_rosdk._tcp")])
        #expect(state.disappeared(type: "_2_rosdk._tcp", on: link) == [.stopBrowsing(type: "_2_rosdk._tcp")])
    }

    @Test("the composed and decomposed forms of a letter are two instances")
    mutating func normalisation() {
        let (composed, decomposed) = (key("caf\u{E9}"), key("cafe\u{301}"))
        #expect(state.appeared(composed, of: Self.type) == [.resolve(composed)])
        #expect(state.appeared(decomposed, of: Self.type) == [.resolve(decomposed)])
        _ = state.disappeared(decomposed, of: Self.type)
        #expect(state.resolved(composed, as: resolution(port: 1)).count == 1)
    }

    @Test("a TXT record is stored up to 1,300 bytes, and truncation is counted")
    mutating func truncated() {
        let string = [UInt8](repeating: 1, count: 255)
        #expect(TXTRecord(Array(repeating: string, count: 5)).strings.count == 5)
        let cut = TXTRecord(Array(repeating: string, count: 6))
        #expect(cut.isTruncated && cut.strings.count == 5)
        #expect(TXTRecord([[UInt8](repeating: 1, count: 256)]).isTruncated)

        let key = key("a")
        _ = state.appeared(key, of: Self.type)
        let actions = state.resolved(key, as: resolution(port: 1, txt: cut))
        #expect(actions.first == .count(.truncated) && actions.count == 2)
    }

    @Test("sightings of a lost interface are kept for a while before they vanish")
    mutating func lost() {
        let key = key("a")
        _ = state.appeared(key, of: Self.type)
        _ = state.resolved(key, as: resolution(port: 1))
        #expect(state.disappeared(key, of: Self.type, link: .away, now: start) == [.release(key), .tell(.lost(key))])
        #expect(state.nextExpiry == start + LostSightings.patience)
        #expect(state.appeared(key, of: Self.type) == [.resolve(key)])
        #expect(state.resolved(key, as: resolution(port: 1)) == [.tell(.sighted(sighting(key, port: 1)))])
        #expect(state.nextExpiry == nil)
    }

    @Test("a sighting that is lost for too long vanishes, and gets some seconds once its interface is back")
    mutating func expiry() {
        let (gone, back, shaken) = (key("gone"), key("back"), key("shaken"))
        for key in [gone, back, shaken] {
            _ = state.appeared(key, of: Self.type)
            _ = state.resolved(key, as: resolution(port: 1))
            _ = state.disappeared(key, of: Self.type, link: key == shaken ? .shaken : .away, now: start)
        }
        let soon = start + LostSightings.returning
        #expect(state.expire(now: soon) { _ in true } == [.tell(.vanished(shaken))])
        let late = start + LostSightings.patience
        #expect(state.expire(now: late) { $0 == gone } == [.tell(.vanished(gone))])
        #expect(state.expire(now: late) { _ in false } == [])
        #expect(state.nextExpiry == late + LostSightings.returning)
        #expect(state.expire(now: late + LostSightings.returning) { _ in false } == [.tell(.vanished(back))])
        #expect(state.nextExpiry == nil)
    }

    @Test("sightings on a link that Avahi does not miss are lost with it, and resolved again when it is back")
    mutating func silentLink() {
        let (heard, own) = (key("heard"), key("own"))
        for key in [heard, own] { _ = state.appeared(key, of: Self.type) }
        _ = state.resolved(heard, as: resolution(port: 1))
        _ = state.resolved(own, as: resolution(port: 1, isLocal: true))
        #expect(state.linksChanged(now: start) { _ in true } == [.tell(.lost(heard))])
        #expect(state.linksChanged(now: start) { _ in true } == [])
        #expect(state.resolved(heard, as: resolution(port: 1), link: .away, now: start) == [], "out of the cache")
        #expect(state.linksChanged(now: start) { _ in false } == [.resolveAgain(heard)])
        #expect(state.linksChanged(now: start) { _ in false } == [])
        #expect(state.resolved(heard, as: resolution(port: 1)) == [.tell(.sighted(sighting(heard, port: 1)))])
        #expect(state.nextExpiry == nil)
    }

    @Test("instances on a link that is away from the start are reported once the link is there")
    mutating func silentFromTheStart() {
        let key = key("a")
        _ = state.appeared(key, of: Self.type)
        _ = state.listed(type: Self.type)
        #expect(state.resolved(key, as: resolution(port: 1), link: .away, now: start) == [.tell(.settled)])
        #expect(state.linksChanged(now: start) { _ in false } == [.resolveAgain(key)])
        #expect(state.resolved(key, as: resolution(port: 1)) == [.tell(.sighted(sighting(key, port: 1)))])
    }

    @Test("a sighting that expires just after a clock jump is lost too")
    mutating func lostAnswer() {
        let key = key("a")
        _ = state.appeared(key, of: Self.type)
        _ = state.resolved(key, as: resolution(port: 1))
        let actions = state.resolved(key, as: nil, link: .shaken, now: start)
        #expect(actions == [.count(.unanswered), .tell(.lost(key))])
        #expect(state.silentCount == 1)
        #expect(state.disappeared(key, of: Self.type) == [.release(key)])
        #expect(state.silentCount == 0)
    }

    @Test("the number of lost sightings is limited")
    func lostLimit() {
        var lost = LostSightings(limit: 2)
        for (name, fits) in [("a", true), ("b", true), ("c", false), ("a", true)] {
            let isKept = lost.insert(key(name), isAway: true, now: start)
            #expect(isKept == fits)
        }
    }

    @Test("a refresh makes new resolvers only for the sightings of that instance")
    mutating func refresh() {
        for name in ["a", "b"] { _ = state.appeared(key(name), of: Self.type) }
        #expect(state.refresh(key("b").instance) == [.resolveAgain(key("b"))])
        #expect(state.refresh(key("c").instance) == [])
    }

    @Test("another host from an open resolver is used only after a fresh resolver confirms it")
    mutating func otherHost() {
        let key = key("a")
        _ = state.appeared(key, of: Self.type)
        _ = state.resolved(key, as: resolution(port: 1))
        let moved = resolution(port: 1, host: "other.local")
        #expect(state.resolved(key, as: moved, isFresh: false, link: .steady, now: start) == [.resolveAgain(key)])
        #expect(state.resolved(key, as: resolution(port: 1), isFresh: true, link: .steady, now: start) == [])
        let told = state.resolved(key, as: moved, isFresh: true, link: .steady, now: start)
        #expect(told == [.tell(.sighted(sighting(key, port: 1, host: "other.local")))])
    }

    @Test("the count is that of the link with the most instances")
    mutating func fullestLink() {
        var other = key("a")
        other.family = .inet6
        for key in [key("a"), key("b"), other] { _ = state.appeared(key, of: Self.type) }
        #expect(state.namedOnFullestLink == 2)
        _ = state.disappeared(key("b"), of: Self.type)
        #expect(state.namedOnFullestLink == 1)
    }

    private func key(_ name: String) -> Sighting.Key {
        let instance = ServiceInstance(name: name, type: Self.type, domain: "local")
        return Sighting.Key(instance: instance, interface: 2, family: .inet)
    }

    private func resolution(
        port: UInt16,
        host: String = "h.local",
        txt: TXTRecord = TXTRecord([]),
        isLocal: Bool = false
    ) -> Resolution {
        Resolution(
            interfaceName: "eth0",
            host: host,
            address: address,
            port: port,
            txt: txt,
            isLocal: isLocal
        )
    }

    private func sighting(_ key: Sighting.Key, port: UInt16, host: String = "h.local") -> Sighting {
        Sighting(
            key: key,
            interfaceName: "eth0",
            host: host,
            port: port,
            address: address,
            txt: [],
            isLocal: false
        )
    }

    private let start = SuspendingClock.now
    private let address: IPAddress

    init() throws {
        address = try #require(IPAddress("10.77.0.2"))
    }
}

extension BrowseState {
    fileprivate mutating func disappeared(_ key: Sighting.Key, of type: String) -> [Action] {
        disappeared(key, of: type, link: .steady, now: .now)
    }

    fileprivate mutating func resolved(_ key: Sighting.Key, as resolution: Resolution?) -> [Action] {
        resolved(key, as: resolution, link: .steady, now: .now)
    }
}
