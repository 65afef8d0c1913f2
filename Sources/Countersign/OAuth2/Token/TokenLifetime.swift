#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// How long a token is good for, and from when on it is renewed early.
///
/// Within a process time is counted from the arrival of the server's answer, on a timeline that cannot be set: a clock that is put
/// right, or a machine that sleeps, makes no token older or younger. Only ``OAuth2Token/expiryDate``, which outlives the process,
/// goes by the wall clock.
///
/// A phase decides what is done *before* a request is sent. What a renewal has just brought is used whatever its phase: a token
/// that lives shorter than it takes to use it would else be renewed for ever.
package struct TokenLifetime: Sendable, Hashable {
    /// Now, by both clocks.
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

    /// What to do with a token now.
    package enum Phase: Sendable, Hashable {
        /// Use it.
        case fresh
        /// Use it, and renew it meanwhile.
        case renewable
        /// Renew it, then send.
        case expired
    }

    /// More than this counts as this, so that no sum of dates overflows: some 68 years.
    package static let longest: Duration = .seconds(Int64(Int32.max))

    /// When the token ends, on the process's timeline; `nil` if that is not known.
    package let expiry: Duration?
    /// From when on the token is renewed early, on the same timeline.
    package let renewal: Duration?

    /// The lifetime of a token that has just arrived.
    ///
    /// - Parameters:
    ///   - duration: What the server said; `nil`, zero or less is no statement.
    ///   - arrival: When its answer arrived.
    ///   - jitter: From 0 to 1, drawn anew for each token: it makes the renewal earlier by up to a quarter of the margin, so
    ///     that clients that started together do not renew together.
    package init(_ duration: Duration?, from arrival: Duration, jitter: Double) {
        guard let duration, duration > .zero else {
            self.init(expiry: nil, renewal: nil)
            return
        }
        let lifetime = min(duration, Self.longest)
        let spread = jitter > 0 ? min(jitter, 1) : 0
        let margin = min(.seconds(60), lifetime / 10) * (1 + spread / 4)
        self.init(expiry: arrival + lifetime, renewal: arrival + lifetime - margin)
    }

    private init(expiry: Duration?, renewal: Duration?) {
        self.expiry = expiry
        self.renewal = renewal
    }

    /// The lifetime of a token from a store: what is left of it by the wall clock.
    ///
    /// - Parameters:
    ///   - expiryDate: ``OAuth2Token/expiryDate``.
    ///   - moment: When the token was read.
    ///   - jitter: As for a token that has just arrived.
    package init(until expiryDate: Date?, restoredAt moment: Moment, jitter: Double) {
        let seconds = expiryDate.map { $0.timeIntervalSince(moment.date) }
        if let seconds, seconds <= 0 {
            self.init(expiry: moment.elapsed, renewal: moment.elapsed)
        } else {
            self.init(seconds.flatMap(Self.duration), from: moment.elapsed, jitter: jitter)
        }
    }

    /// What to do with the token at a time of the process's timeline.
    package func phase(at elapsed: Duration) -> Phase {
        guard let expiry, let renewal else { return .fresh }
        if elapsed >= expiry { return .expired }
        return elapsed >= renewal ? .renewable : .fresh
    }

    /// A number of seconds as a duration, not longer than ``longest``; `nil` if it is none, zero or less.
    package static func duration(seconds: Double) -> Duration? {
        guard seconds > 0 else { return nil }
        let longestInSeconds = Double(longest.components.seconds)
        return seconds < longestInSeconds ? .seconds(seconds) : longest
    }

    /// The date at which a token ends that arrived then and lives that long.
    package static func expiryDate(_ duration: Duration?, from arrival: Date) -> Date? {
        guard let duration, duration > .zero else { return nil }
        let (seconds, attoseconds) = min(duration, longest).components
        return arrival.addingTimeInterval(Double(seconds) + Double(attoseconds) * 1e-18)
    }
}
