// The credential of a run: the one before, and the parts that steps have obtained so far.

extension StepRunner {
    /// Fills the slots from which steps read the values of the previous credential.
    mutating func begin(after credential: HeldCredential) {
        let before = Dictionary(zip(method.credentialSlots, credential.values)) { first, _ in first }
        for (slot, field) in method.slotsBefore { values[slot] = before[field] ?? .absent }
    }

    /// Keeps the values of the previous credential in slots that are still absent.
    mutating func keep(_ credential: HeldCredential) {
        for (slot, value) in zip(method.credentialSlots, credential.values) where !isPresent(slot) { values[slot] = value }
    }

    /// Whether responses of servers have filled fields of the credential. Parameters, answers of the application or of a page, and the
    /// client's own values, such as a token that it signs, do not count.
    ///
    /// - Parameter before: The runner before the steps.
    func hasObtainedFields(since before: Self) -> Bool {
        method.program.credential.fields.contains { field in
            issued.contains(field.slot) && isPresent(field.slot) && values[field.slot] != before.values[field.slot]
        }
    }

    /// Whether the credential is the login's own cookies, and a server has accepted the login or a part of it. Cookies that servers set
    /// before, for example for a form, do not count.
    var hasObtainedCookies: Bool { method.program.credential.cookies != nil && hasLoggedIn && cookies?.isEmpty == false }

    /// Removes the lifetime, since that of the previous credential does not apply to the result of the steps.
    mutating func forgetLifetime() {
        if let slot = method.program.credential.lifetime { values[slot] = .absent }
    }
}
