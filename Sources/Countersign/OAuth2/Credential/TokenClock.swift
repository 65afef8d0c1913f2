#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// Time and chance as tokens need them, so that a test can set both.
package struct TokenClock: Sendable {
    /// The time since the clock was made; no user can set it.
    package let elapsed: @Sendable () -> Duration
    /// The wall clock's time.
    package let date: @Sendable () -> Date
    /// From 0 to 1, drawn anew at each call; see ``TokenLifetime``.
    package let jitter: @Sendable () -> Double

    /// Makes a clock that starts now.
    package init(_ clock: any Clock<Duration>) { self.init(elapsed: Timeline(clock).elapsed) }

    /// Makes a clock of a timeline.
    package init(
        elapsed: @escaping @Sendable () -> Duration, date: @escaping @Sendable () -> Date = { Date() },
        jitter: @escaping @Sendable () -> Double = { .random(in: 0...1) }
    ) {
        self.elapsed = elapsed
        self.date = date
        self.jitter = jitter
    }

    /// Now.
    package var moment: TokenLifetime.Moment { TokenLifetime.Moment(elapsed: elapsed(), date: date()) }

    /// A token from a store, with what is left of its lifetime.
    func restored(_ token: OAuth2Token) -> OAuth2IssuedToken {
        OAuth2IssuedToken(
            token: token, lifetime: TokenLifetime(until: token.expiryDate, restoredAt: moment, jitter: jitter()))
    }
}
