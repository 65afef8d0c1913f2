import Countersign

extension MemoryCredentialStore {
    /// Makes a store in which no wait for a lock ends by time. Thousands of tests begin at once, and the holder of a lock may take as
    /// long as the time limit of an authentication.
    static func patient() -> MemoryCredentialStore { MemoryCredentialStore(clock: ManualClock()) }
}
