extension MockLandscape {
    /// The authenticator app of a user. Without a method that asks for passcodes, its codes are good for nothing.
    public func authenticatorApp(for user: String) -> MockAuthenticatorApp {
        let ledger = passcodeServers.first?.ledger ?? PasscodeLedger(options: MockPasscodeOptions())
        return MockAuthenticatorApp(user: user, passcode: ledger.passcode(of: user)) { ledger.now }
    }

    /// Lets so many steps of passcodes pass: apps show other codes then, and a code that was used is no obstacle.
    public func advancePasscodes(by steps: Int = 1) {
        for server in passcodeServers { server.ledger.advance(by: Double(steps * 30)) }
    }

    /// Ends all sessions that a passcode has begun; users who are logged in by the method before it stay so.
    public func endPasscodeSessions() {
        for server in passcodeServers { server.endAllSessions() }
    }

    private var passcodeServers: [PasscodeServer] { site.methods.compactMap { $0 as? PasscodeServer } }
}
