#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The cookies that a jar keeps under its lock, by domain, so that a lookup visits no cookies of other domains.
struct CookieStore: Sendable {
    private var buckets: [String: CookieBucket] = [:]
    private var count = 0
    private var tick: UInt64 = 0

    var isEmpty: Bool { count == 0 }

    // MARK: Looking up

    /// Returns the cookies that are sent to a place, in sending order (RFC 6265, section 5.4).
    mutating func cookies(for place: CookiePlace, now: Date) -> [Cookie] {
        tick += 1
        var found: [CookieBucket.Entry] = []
        place.forEachDomain { domain in
            guard let bucket = buckets.index(forKey: domain) else { return }
            buckets.values[bucket].use(for: place, isHost: domain == place.host, now: now, tick: tick, adding: &found)
        }
        found.sort { $0.isSent(before: $1) }
        return found.map(\.cookie)
    }

    /// Returns the cookie with an identity, expired or not.
    func cookie(_ identity: Cookie.Identity) -> Cookie? {
        buckets[identity.domain]?.entries.first { $0.cookie.identity == identity }?.cookie
    }

    /// Returns all cookies that have not expired, oldest first.
    func all(now: Date) -> [Cookie] {
        allEntries.filter { !$0.cookie.isExpired(at: now) }.sorted { $0.creation < $1.creation }.map(\.cookie)
    }

    /// Returns the cookies with `Secure` and one of these names, of any domain.
    func secureCookies(named names: Set<String>) -> [Cookie] {
        allEntries.map(\.cookie).filter { $0.isSecure && names.contains($0.name) }
    }

    private var allEntries: some Sequence<CookieBucket.Entry> { buckets.values.lazy.flatMap(\.entries) }

    // MARK: Changing

    /// Replaces the cookie with the same identity, or adds the cookie. An expired cookie only removes that one.
    mutating func insert(_ cookie: Cookie, now: Date) {
        guard !cookie.isExpired(at: now) else { return remove(cookie.identity) }
        tick += 1
        change(cookie.domain) { [tick] in $0.insert(cookie, tick: tick) }
    }

    /// Removes the cookie with this identity, if there is one.
    mutating func remove(_ identity: Cookie.Identity) {
        change(identity.domain) { $0.keep { $0.cookie.identity != identity } }
    }

    /// Removes cookies until the limits hold, both for the given domains and for the whole jar.
    mutating func evict(to limits: CookieJar.Limits, from domains: Set<String>, now: Date) {
        let (most, mostInAll) = (max(0, limits.cookiesPerDomain), max(0, limits.cookies))
        for domain in domains where (buckets[domain]?.entries.count ?? 0) > most {
            change(domain) { bucket in
                bucket.keep { !$0.cookie.isExpired(at: now) }
                let excess = bucket.entries.sorted { $0.isEvicted(before: $1) }.dropLast(most)
                let creations = Set(excess.map(\.creation))
                bucket.keep { !creations.contains($0.creation) }
            }
        }
        guard count > mostInAll else { return }
        for domain in Array(buckets.keys) { change(domain) { $0.keep { !$0.cookie.isExpired(at: now) } } }
        // Removes more cookies than necessary, so that a full jar is not sorted for every new cookie.
        takeAway(downTo: mostInAll - mostInAll / 10)
    }

    /// Removes cookies of the domains that have the most, so that a server with many names cannot evict the cookies of others. If
    /// that is not enough, the least recently used cookies are removed.
    private mutating func takeAway(downTo target: Int) {
        let sizes = buckets.mapValues(\.entries.count)
        let most = Self.mostPerDomain(sizes.values.sorted(), for: target)
        for (domain, size) in sizes where size > max(1, most) {
            change(domain) { bucket in
                let excess = bucket.entries.sorted { $0.isEvicted(before: $1) }.dropLast(max(1, most))
                let creations = Set(excess.map(\.creation))
                bucket.keep { !creations.contains($0.creation) }
            }
        }
        guard count > target else { return }
        let excess = allEntries.sorted { $0.lastUse < $1.lastUse }.dropLast(target)
        for (domain, gone) in Dictionary(grouping: excess, by: \.cookie.domain) {
            let creations = Set(gone.map(\.creation))
            change(domain) { $0.keep { !creations.contains($0.creation) } }
        }
    }

    /// Returns the maximum number of cookies per domain with which `target` cookies remain in all; `sizes` is sorted.
    private static func mostPerDomain(_ sizes: [Int], for target: Int) -> Int {
        var left = target
        for (index, size) in sizes.enumerated() {
            let share = left / (sizes.count - index)
            if size > share { return share }
            left -= size
        }
        return sizes.last ?? 0
    }

    /// Changes the cookies of a domain, updates the count, and removes an empty bucket.
    private mutating func change(_ domain: String, _ change: (inout CookieBucket) -> Void) {
        let before = buckets[domain]?.entries.count ?? 0
        change(&buckets[domain, default: CookieBucket()])
        let after = buckets[domain]?.entries.count ?? 0
        count += after - before
        if after == 0 { buckets[domain] = nil }
    }
}
