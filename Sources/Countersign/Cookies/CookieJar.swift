#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
import Synchronization

/// The cookies of a session, stored and retrieved by RFC 6265.
///
/// Stricter rules of RFC 6265bis apply where they break no older server: `__Host-` and `__Secure-` name prefixes, no `Secure`
/// cookies over unencrypted connections, no control characters, bounded sizes. Plain `http` to a loopback address counts as
/// encrypted, so that a test server needs no certificate.
///
/// ```swift
/// let jar = CookieJar()
/// jar.store(["SID=31d4; Path=/; Secure"], from: launchpad)
/// request.headerFields[.cookie] = jar.header(for: launchpad)
/// ```
///
/// A lookup visits only the cookies of the host and its parent domains.
public final class CookieJar: Sendable {
    private let policy: CookiePolicy
    private let now: @Sendable () -> Date
    private let store: Mutex<CookieStore>

    /// Creates an empty jar.
    ///
    /// - Parameters:
    ///   - isPublicSuffix: Returns whether a domain is a public suffix; cookies for such a domain are refused. A domain without a
    ///     dot (`org`, `localhost`) always counts as one. Domains are passed in lower case, without a leading dot.
    ///   - limits: The limits of the jar.
    ///   - now: The clock for expiry.
    public init(
        isPublicSuffix: @escaping @Sendable (String) -> Bool = { _ in false }, limits: Limits = Limits(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        policy = CookiePolicy(isPublicSuffix: isPublicSuffix, limits: limits)
        self.now = now
        store = Mutex(CookieStore())
    }

    private init(policy: CookiePolicy, now: @escaping @Sendable () -> Date, store: consuming CookieStore) {
        self.policy = policy
        self.now = now
        self.store = Mutex(store)
    }

    /// Returns the `Cookie` field value for a request to `url`, or `nil` if no cookie matches.
    public func header(for url: URL) -> String? {
        Self.header(of: cookies(for: url))
    }

    /// Returns the `Cookie` field value for a request. The URL is created only if the jar has cookies.
    func header(at address: LazyURL) -> String? { store.withLock({ $0.isEmpty }) ? nil : header(for: address.url) }

    /// Returns the `Cookie` field value for a request to `url` with the cookies of two jars. If both have a cookie of one name,
    /// this jar's is used.
    func header(for url: URL, with other: CookieJar) -> String? {
        let own = cookies(for: url)
        let names = Set(own.map(\.name))
        return Self.header(of: own + other.cookies(for: url).filter { !names.contains($0.name) })
    }

    private static func header(of cookies: [Cookie]) -> String? {
        guard !cookies.isEmpty else { return nil }
        var header = ""
        header.reserveCapacity(cookies.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 3 })
        for cookie in cookies {
            if !header.isEmpty { header += "; " }
            header += cookie.name
            header += "="
            header += cookie.value
        }
        return header
    }

    /// Returns the cookies for `url` in sending order: longer paths first, then older cookies.
    public func cookies(for url: URL) -> [Cookie] {
        guard !store.withLock({ $0.isEmpty }), let place = CookiePlace(url) else { return [] }
        let now = now()
        return store.withLock { $0.cookies(for: place, now: now) }
    }

    /// Stores the `Set-Cookie` field values of a response from `url`, one cookie per value.
    ///
    /// Cookies that the server may not set are ignored, as RFC 6265 requires.
    public func store(_ setCookieValues: [String], from url: URL) {
        if let change = change(storing: setCookieValues, from: url) { make(change) }
    }

    /// Stores a cookie unchanged, replacing one of the same name, domain and path for the same hosts. An expired cookie only removes
    /// that one.
    ///
    /// A cookie for a host alone does not replace one for its domain, or the reverse. Requests to that host carry both.
    ///
    /// A cookie is ignored if it has no name, a control character or semicolon in its name or value, or an equals sign in its name,
    /// since it would change the meaning of the `Cookie` field.
    public func set(_ cookie: Cookie) {
        guard policy.isSendable(cookie) else { return }
        let now = now()
        store.withLock { insert([cookie], in: &$0, now: now) }
    }

    /// Removes the cookies of the same name, domain and path, both that for the host alone and that for the domain.
    public func remove(_ cookie: Cookie) {
        var other = cookie
        other.isHostOnly.toggle()
        store.withLock { [other] store in
            store.remove(cookie.identity)
            store.remove(other.identity)
        }
    }

    /// All cookies that have not expired, oldest first.
    public var all: [Cookie] {
        let now = now()
        return store.withLock { $0.all(now: now) }
    }

    /// Removes all cookies.
    public func removeAll() {
        store.withLock { $0 = CookieStore() }
    }

    /// Returns the current cookies as a value.
    public func snapshot() -> Snapshot { Snapshot(cookies: all) }

    /// Applies the changes between two snapshots: stores added and changed cookies, and removes deleted ones. Concurrent changes to
    /// the jar are kept.
    ///
    /// If both changed the same cookie, setting wins over removal: a cookie of `new` is stored, and a cookie that `new` lacks is
    /// removed only if the jar still has it as `old` had it.
    public func adopt(_ new: Snapshot, since old: Snapshot) {
        if let change = change(adopting: new, since: old) { make(change) }
    }

    private func insert(_ cookies: [Cookie], in store: inout CookieStore, now: Date) {
        for cookie in cookies { store.insert(cookie, now: now) }
        store.evict(to: policy.limits, from: Set(cookies.map(\.domain)), now: now)
    }

    /// A change that was computed and is not applied yet.
    ///
    /// The clock and the list of public suffixes are the application's code, which may call the jar or the session again. They
    /// are called while a change is computed, never under a lock. Applying a change calls no such code.
    struct Change: Sendable {
        fileprivate let apply: @Sendable (inout CookieStore) -> Void
    }

    /// Applies a change of this jar, or of one that it was forked from.
    func make(_ change: Change) { store.withLock { change.apply(&$0) } }

    /// Returns the change that ``store(_:from:)`` makes; `nil` if there is none.
    func change(storing setCookieValues: [String], from url: URL) -> Change? {
        guard !setCookieValues.isEmpty, let place = CookiePlace(url) else { return nil }
        let now = now()
        let accepted = setCookieValues.compactMap { value in
            SetCookie(value, limits: policy.limits).flatMap { policy.cookie(from: $0, at: place, now: now) }
        }
        guard !accepted.isEmpty else { return nil }
        return Change { [self] store in
            let protected = place.isPrivate ? [] : store.secureCookies(named: Set(accepted.map(\.name)))
            insert(accepted.filter { !policy.isShadowing($0, anyOf: protected) }, in: &store, now: now)
        }
    }

    /// Returns the change that ``adopt(_:since:)`` makes; `nil` if there is none.
    func change(adopting new: Snapshot, since old: Snapshot) -> Change? {
        let before = Dictionary(old.cookies.map { ($0.identity, $0) }) { _, last in last }
        let after = Set(new.cookies.map(\.identity))
        // A presenter's own cookie store may not check public suffixes.
        let changed = new.cookies.filter { before[$0.identity] != $0 }.compactMap(policy.adopted)
        let gone = before.filter { !after.contains($0.key) }
        guard !changed.isEmpty || !gone.isEmpty else { return nil }
        let now = now()
        return Change { [self] store in
            for (identity, cookie) in gone where store.cookie(identity) == cookie { store.remove(identity) }
            insert(changed, in: &store, now: now)
        }
    }

    /// Returns a new jar with the current cookies and the same clock and rules.
    public func fork() -> CookieJar {
        CookieJar(policy: policy, now: now, store: store.withLock { $0 })
    }

    /// Returns an empty jar with the same clock and rules.
    func emptied() -> CookieJar { CookieJar(policy: policy, now: now, store: CookieStore()) }

    /// Whether the jar has no cookies, or only expired ones.
    var isEmpty: Bool {
        guard !store.withLock({ $0.isEmpty }) else { return true }
        return all.isEmpty
    }

    /// The cookies of a jar at one moment.
    public struct Snapshot: Sendable {
        /// The cookies, oldest first.
        public let cookies: [Cookie]

        /// Creates a snapshot of given cookies, for a presenter with its own cookie store.
        public init(cookies: [Cookie]) { self.cookies = cookies }
    }
}

extension CookieJar: Hashable {
    /// Compares by identity.
    public static func == (left: CookieJar, right: CookieJar) -> Bool { left === right }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension CookieJar: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The number of cookies. Values are not shown.
    public var description: String { "CookieJar(\(snapshot().cookies.count) cookies)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["cookies": all], displayStyle: .class) }
}

extension CookieJar.Snapshot: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The number of cookies. Values are not shown.
    public var description: String { "CookieJar.Snapshot(\(cookies.count) cookies)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["cookies": cookies], displayStyle: .struct) }
}
