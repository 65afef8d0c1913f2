extension MockLandscape {
    /// Returns the authenticator app of a user. Without a method with passcodes, no server accepts its codes.
    public func authenticatorApp(for user: String) -> MockAuthenticatorApp {
        let ledger = passcodeServers.first?.ledger ?? PasscodeLedger(options: MockPasscodeOptions())
        return MockAuthenticatorApp(user: user, passcode: ledger.passcode(of: user)) { ledger.now }
    }

    /// Advances the time by a number of passcode periods, so that apps show new codes and used codes do not matter.
    public func advancePasscodes(by steps: Int = 1) {
        for server in passcodeServers { server.ledger.advance(by: Double(steps * 30)) }
    }

    /// Ends all sessions after a passcode. Users stay logged in with the method before it.
    public func endPasscodeSessions() {
        for server in passcodeServers { server.endAllSessions() }
    }

    private var passcodeServers: [PasscodeServer] { site.methods.compactMap { $0 as? PasscodeServer } }
}
