#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The clock and the random source for tokens, replaceable in tests.
package struct TokenClock: Sendable {
    /// Returns the time since the clock was created, on a monotonic timeline.
    package let elapsed: @Sendable () -> Duration
    /// Returns the wall clock's time.
    package let date: @Sendable () -> Date
    /// Returns a random number from 0 to 1; see ``TokenLifetime``.
    package let jitter: @Sendable () -> Double

    /// Creates a clock that starts now.
    package init(_ clock: any Clock<Duration>) { self.init(elapsed: Timeline(clock).elapsed) }

    /// Creates a clock of a timeline.
    package init(
        elapsed: @escaping @Sendable () -> Duration, date: @escaping @Sendable () -> Date = { Date() },
        jitter: @escaping @Sendable () -> Double = { .random(in: 0...1) }
    ) {
        self.elapsed = elapsed
        self.date = date
        self.jitter = jitter
    }

    /// The current time.
    package var moment: TokenLifetime.Moment { TokenLifetime.Moment(elapsed: elapsed(), date: date()) }

    /// Returns a token from a store with its remaining lifetime.
    func restored(_ token: OAuth2Token) -> OAuth2IssuedToken {
        OAuth2IssuedToken(
            token: token, lifetime: TokenLifetime(until: token.expiryDate, restoredAt: moment, jitter: jitter()))
    }
}
