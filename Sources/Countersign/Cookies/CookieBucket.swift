#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The cookies of one domain: those of its host alone, and those for all hosts below it.
struct CookieBucket: Sendable {
    /// A cookie and its history.
    struct Entry: Sendable {
        var cookie: Cookie
        /// The number of the cookie in the order of creation. A replacement keeps it (RFC 6265, section 5.3, step 11).
        let creation: UInt64
        /// The number of the last use. The cookie with the lowest number is evicted first.
        var lastUse: UInt64

        /// Whether the cookie is sent before another one (RFC 6265, section 5.4, step 2).
        func isSent(before other: Entry) -> Bool {
            let (length, otherLength) = (cookie.path.utf8.count, other.cookie.path.utf8.count)
            return length == otherLength ? creation < other.creation : length > otherLength
        }

        /// Whether the cookie is evicted before another one of its domain.
        func isEvicted(before other: Entry) -> Bool {
            cookie.isSecure == other.cookie.isSecure ? lastUse < other.lastUse : !cookie.isSecure
        }
    }

    private(set) var entries: [Entry] = []

    /// Adds the cookies that are sent to a place to `found`, and marks them as used at `tick`.
    ///
    /// - Parameter isHost: Whether the bucket's domain is the place's host.
    mutating func use(for place: CookiePlace, isHost: Bool, now: Date, tick: UInt64, adding found: inout [Entry]) {
        for index in entries.indices where isSent(entries[index].cookie, to: place, isHost: isHost, now: now) {
            entries[index].lastUse = tick
            found.append(entries[index])
        }
    }

    private func isSent(_ cookie: Cookie, to place: CookiePlace, isHost: Bool, now: Date) -> Bool {
        (isHost || !cookie.isHostOnly) && (place.isPrivate || !cookie.isSecure)
            && CookiePlace.path(place.path, isWithin: cookie.path) && !cookie.isExpired(at: now)
    }

    /// Replaces the cookie with the same identity, or adds the cookie.
    mutating func insert(_ cookie: Cookie, tick: UInt64) {
        if let index = entries.firstIndex(where: { $0.cookie.identity == cookie.identity }) {
            entries[index].cookie = cookie
            entries[index].lastUse = tick
        } else {
            entries.append(Entry(cookie: cookie, creation: tick, lastUse: tick))
        }
    }

    /// Keeps only the cookies that fulfil a condition.
    mutating func keep(_ isKept: (Entry) -> Bool) {
        entries.removeAll { !isKept($0) }
    }
}
