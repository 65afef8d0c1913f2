#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The lifetime of a token, and the time from which it is renewed early.
///
/// Within a process, the lifetime is counted from the arrival of the token response on a monotonic timeline, so adjusting the clock
/// has no effect. Only ``OAuth2Token/expiryDate``, which outlives the process, is a wall clock time.
///
/// A phase decides the action *before* a request is sent. A renewed token is used at once whatever its phase, so that a token with
/// a very short lifetime is not renewed in a loop.
package struct TokenLifetime: Sendable, Hashable {
    /// The current time, on both clocks.
    package struct Moment: Sendable, Hashable {
        /// The time since the start of the process's timeline.
        package let elapsed: Duration
        /// The wall clock's time.
        package let date: Date

        package init(elapsed: Duration, date: Date) {
            self.elapsed = elapsed
            self.date = date
        }
    }

    /// The action for a token at a time.
    package enum Phase: Sendable, Hashable {
        /// Use the token.
        case fresh
        /// Use the token, and renew it in the background.
        case renewable
        /// Renew the token before the request is sent.
        case expired
    }

    /// The maximum lifetime, about 68 years. Longer ones are reduced to it, so that date arithmetic does not overflow.
    package static let maximum: Duration = .seconds(Int64(Int32.max))

    /// The expiry on the process's timeline; `nil` if unknown.
    package let expiry: Duration?
    /// The time from which the token is renewed early, on the same timeline.
    package let renewal: Duration?

    /// The lifetime of a newly issued token.
    ///
    /// - Parameters:
    ///   - duration: The lifetime that the server sent; `nil`, zero or less for an unknown lifetime.
    ///   - arrival: The arrival time of the response.
    ///   - jitter: A random number from 0 to 1 for each token. It advances the renewal by up to a quarter of the margin, so that
    ///     clients do not renew simultaneously.
    package init(_ duration: Duration?, from arrival: Duration, jitter: Double) {
        guard let duration, duration > .zero else {
            self.init(expiry: nil, renewal: nil)
            return
        }
        let lifetime = min(duration, Self.maximum)
        let spread = jitter > 0 ? min(jitter, 1) : 0
        let margin = min(.seconds(60), lifetime / 10) * (1 + spread / 4)
        self.init(expiry: arrival + lifetime, renewal: arrival + lifetime - margin)
    }

    private init(expiry: Duration?, renewal: Duration?) {
        self.expiry = expiry
        self.renewal = renewal
    }

    /// The remaining lifetime of a stored token by the wall clock.
    ///
    /// - Parameters:
    ///   - expiryDate: ``OAuth2Token/expiryDate``.
    ///   - moment: The time at which the token was read.
    ///   - jitter: A random number from 0 to 1, as for a newly issued token.
    package init(until expiryDate: Date?, restoredAt moment: Moment, jitter: Double) {
        let seconds = expiryDate.map { $0.timeIntervalSince(moment.date) }
        if let seconds, seconds <= 0 {
            self.init(expiry: moment.elapsed, renewal: moment.elapsed)
        } else {
            self.init(seconds.flatMap(Self.duration), from: moment.elapsed, jitter: jitter)
        }
    }

    /// Returns the action for the token at a time of the process's timeline.
    package func phase(at elapsed: Duration) -> Phase {
        guard let expiry, let renewal else { return .fresh }
        if elapsed >= expiry { return .expired }
        return elapsed >= renewal ? .renewable : .fresh
    }

    /// Returns a number of seconds as a duration of at most ``maximum``; `nil` if it is not a number, zero or less.
    package static func duration(seconds: Double) -> Duration? {
        guard seconds > 0 else { return nil }
        let maximumInSeconds = Double(maximum.components.seconds)
        return seconds < maximumInSeconds ? .seconds(seconds) : maximum
    }

    /// Returns the expiry date of a token with an arrival date and a lifetime.
    package static func expiryDate(_ duration: Duration?, from arrival: Date) -> Date? {
        guard let duration, duration > .zero else { return nil }
        let (seconds, attoseconds) = min(duration, maximum).components
        return arrival.addingTimeInterval(Double(seconds) + Double(attoseconds) * 1e-18)
    }
}
