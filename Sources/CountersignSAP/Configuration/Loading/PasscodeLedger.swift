internal import Synchronization

/// The passcodes that a loader has returned. If a configuration is read again, its passcode is not a new one.
final class PasscodeLedger: Sendable {
    /// The passcodes by hash value, so that no passcode is stored longer than it is usable. If two have the same 64-bit hash
    /// value, the second is refused.
    private let seen = Mutex<[Int: OnboardingPasscode]>([:])

    /// Returns the passcode of a configuration, which is the existing object if the passcode has arrived before.
    func passcode(_ text: String, lifetime: Duration, arrival: Arrival) -> OnboardingPasscode {
        seen.withLock { seen in
            if let known = seen[text.hashValue] { return known }
            let passcode = OnboardingPasscode(text, lifetime: lifetime, arrival: arrival)
            seen[text.hashValue] = passcode
            return passcode
        }
    }
}
