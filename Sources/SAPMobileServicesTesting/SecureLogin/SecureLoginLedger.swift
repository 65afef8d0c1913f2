internal import CountersignTesting
internal import Synchronization

/// The running logins, and the tickets of completed ones.
final class SecureLoginLedger: Sendable {
    /// The result of submitting values.
    enum Verdict: Sendable {
        /// There is no such login.
        case unknown
        /// The values are wrong. The login remains at the same page.
        case wrong
        case next(SecureLoginPage)
        case ticket(String)
    }

    private struct Login {
        /// The number of completed rounds.
        var done = 0
        var user: String
        var expires: ContinuousClock.Instant
    }

    private struct Ticket {
        let user: String
        let expires: ContinuousClock.Instant
    }

    private struct State {
        /// The running logins by salt.
        var logins: [String: Login] = [:]
        var tickets: [String: Ticket] = [:]
        /// The offset of this clock from the clock of the options.
        var advance = Duration.zero
    }

    private let options: MockSecureLoginOptions
    private let users: [String: String]
    private let state = Mutex(State())

    init(options: MockSecureLoginOptions, users: [String: String]) {
        self.options = options
        self.users = users
    }

    /// Advances the clock.
    func advance(by duration: Duration) { state.withLock { $0.advance += duration } }

    /// Begins a login.
    func begin() -> (salt: String, Verdict) {
        let (salt, now) = (Token.make(), options.now())
        return state.withLock { state in
            let login = Login(user: options.user, expires: now + state.advance + options.loginLifetime)
            return (salt, proceed(login, salt: salt, at: now, &state))
        }
    }

    /// Submits the values of a page.
    func submit(_ values: [String: String], salt: String) -> Verdict {
        let now = options.now()
        return state.withLock { state in
            guard var login = state.logins[salt], login.expires > now + state.advance, login.done < options.rounds.count else {
                state.logins[salt] = nil
                return .unknown
            }
            guard accepts(values, in: options.rounds[login.done]) else { return .wrong }
            if options.rounds[login.done] == .password { login.user = values["user"] ?? login.user }
            login.done += 1
            return proceed(login, salt: salt, at: now, &state)
        }
    }

    /// Returns the user of a ticket, which remains valid.
    func user(of ticket: String) -> String? { state.withLock { $0.tickets[ticket]?.user } }

    /// Returns the user of a ticket and invalidates the ticket.
    func redeem(_ ticket: String) -> String? {
        let now = options.now()
        return state.withLock { state in
            guard let found = state.tickets.removeValue(forKey: ticket), found.expires > now + state.advance else { return nil }
            return found.user
        }
    }

    private func proceed(
        _ login: Login, salt: String, at now: ContinuousClock.Instant, _ state: inout State
    ) -> Verdict {
        var login = login
        login.expires = now + state.advance + options.loginLifetime
        if login.done < options.rounds.count {
            state.logins[salt] = login
            return .next(SecureLoginPage(options.rounds[login.done]))
        }
        state.logins[salt] = nil
        let ticket = Token.make()
        state.tickets[ticket] = Ticket(user: login.user, expires: login.expires)
        return .ticket(ticket)
    }

    /// Whether the values are exactly those of a round, and correct.
    private func accepts(_ values: [String: String], in round: MockSecureLoginOptions.Round) -> Bool {
        guard Set(values.keys) == Set(SecureLoginPage(round).fields.map(\.name)) else { return false }
        return switch round {
        case .password: Self.equal(values["user"].flatMap { users[$0] }, values["password"])
        case .passcode: Self.equal(options.passcode, values["passcode"])
        case .newPassword: values["new"]?.isEmpty == false && Self.equal(values["new"], values["again"])
        case .disclaimer: true
        }
    }

    /// Compares bytes, since Swift strings are equal if they are canonically equivalent.
    private static func equal(_ left: String?, _ right: String?) -> Bool {
        guard let left, let right else { return false }
        return left.utf8.elementsEqual(right.utf8)
    }
}
