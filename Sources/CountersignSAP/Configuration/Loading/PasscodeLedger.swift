internal import Synchronization

/// The passcodes that a loader has seen: one that comes again, as from a file that is read again, is no new one.
final class PasscodeLedger: Sendable {
    /// By hash, since no passcode is kept longer than it can be used. Two that share one of 64 bits could not be told apart, and
    /// the second would be refused.
    private let seen = Mutex<[Int: OnboardingPasscode]>([:])

    /// The passcode that came with a configuration: that of its first arrival, if there was one before.
    func passcode(_ text: String, lifetime: Duration, arrival: Arrival) -> OnboardingPasscode {
        seen.withLock { seen in
            if let known = seen[text.hashValue] { return known }
            let passcode = OnboardingPasscode(text, lifetime: lifetime, arrival: arrival)
            seen[text.hashValue] = passcode
            return passcode
        }
    }
}
