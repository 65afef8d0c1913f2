#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What a jar keeps under its lock: the cookies by their domain, so that a look-up meets no other domain's cookies.
struct CookieStore: Sendable {
    private struct Entry {
        var cookie: Cookie
        /// Counts up with every new cookie; a replaced one keeps it (RFC 6265, section 5.3, step 11).
        var creation: UInt64
        /// Counts up with every use; the lowest is evicted first.
        var lastUse: UInt64
    }

    private var entries: [String: [Entry]] = [:]
    private var count = 0
    private var tick: UInt64 = 0

    var isEmpty: Bool { count == 0 }

    // MARK: Looking up

    /// The cookies that go to a place, in sending order (RFC 6265, section 5.4).
    mutating func cookies(for place: CookiePlace, now: Date) -> [Cookie] {
        tick += 1
        var found: [Entry] = []
        for domain in place.domains {
            guard let bucket = entries.index(forKey: domain) else { continue }
            let isHost = domain == place.host
            for index in entries.values[bucket].indices {
                let cookie = entries.values[bucket][index].cookie
                guard isHost || !cookie.isHostOnly, !cookie.isSecure || place.isPrivate, !cookie.isExpired(at: now),
                    CookiePlace.path(place.path, isWithin: cookie.path)
                else { continue }
                entries.values[bucket][index].lastUse = tick
                found.append(entries.values[bucket][index])
            }
        }
        if found.count > 1 {
            found.sort {
                let (first, second) = ($0.cookie.path.utf8.count, $1.cookie.path.utf8.count)
                return first == second ? $0.creation < $1.creation : first > second
            }
        }
        return found.map(\.cookie)
    }

    /// The cookie of an identity, expired or not.
    func cookie(_ identity: Cookie.Identity) -> Cookie? {
        entries[identity.domain]?.first { $0.cookie.identity == identity }?.cookie
    }

    /// All cookies that have not expired, the oldest first.
    func all(now: Date) -> [Cookie] {
        entries.values.joined().filter { !$0.cookie.isExpired(at: now) }.sorted { $0.creation < $1.creation }.map(\.cookie)
    }

    /// The cookies with `Secure` and one of these names, whatever their domain.
    func secureCookies(named names: Set<String>) -> [Cookie] {
        entries.values.joined().map(\.cookie).filter { $0.isSecure && names.contains($0.name) }
    }

    // MARK: Changing

    /// Puts a cookie in the place of the one with its identity, or adds it; an expired cookie only takes that one away.
    mutating func insert(_ cookie: Cookie, now: Date) {
        guard !cookie.isExpired(at: now) else { return remove(cookie.identity) }
        tick += 1
        let identity = cookie.identity
        if let bucket = entries.index(forKey: cookie.domain),
            let index = entries.values[bucket].firstIndex(where: { $0.cookie.identity == identity })
        {
            entries.values[bucket][index].cookie = cookie
            entries.values[bucket][index].lastUse = tick
        } else {
            entries[cookie.domain, default: []].append(Entry(cookie: cookie, creation: tick, lastUse: tick))
            count += 1
        }
    }

    /// Takes the cookie with this identity away, if there is one.
    mutating func remove(_ identity: Cookie.Identity) {
        keep(in: identity.domain) { $0.cookie.identity != identity }
    }

    /// Takes cookies away until the limits hold, in the domains that got new ones and in all.
    mutating func evict(to limits: CookieJar.Limits, from domains: Set<String>, now: Date) {
        for domain in domains where entries[domain, default: []].count > limits.cookiesPerDomain {
            keep(in: domain) { !$0.cookie.isExpired(at: now) }
            let mostDispensableFirst = entries[domain, default: []].sorted { first, second in
                first.cookie.isSecure == second.cookie.isSecure ? first.lastUse < second.lastUse : !first.cookie.isSecure
            }
            removeAll(mostDispensableFirst.dropLast(limits.cookiesPerDomain))
        }
        guard count > limits.cookies else { return }
        for domain in Array(entries.keys) { keep(in: domain) { !$0.cookie.isExpired(at: now) } }
        guard count > limits.cookies else { return }
        removeAll(entries.values.joined().sorted { $0.lastUse < $1.lastUse }.dropLast(limits.cookies))
    }

    private mutating func removeAll(_ excess: some Sequence<Entry>) {
        for (domain, gone) in Dictionary(grouping: excess, by: \.cookie.domain) {
            let creations = Set(gone.map(\.creation))
            keep(in: domain) { !creations.contains($0.creation) }
        }
    }

    private mutating func keep(in domain: String, where isKept: (Entry) -> Bool) {
        guard let bucket = entries.index(forKey: domain) else { return }
        let before = entries.values[bucket].count
        entries.values[bucket].removeAll { !isKept($0) }
        count -= before - entries.values[bucket].count
        if entries.values[bucket].isEmpty { entries.remove(at: bucket) }
    }
}
