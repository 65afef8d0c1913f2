import Foundation
import Synchronization

/// The pending demands for passcodes, the sessions of users who entered one, and the used codes.
///
/// Written from RFC 6238: codes of the previous and the next step are valid as well (section 5.2), and each code is single-use.
final class PasscodeLedger: Sendable {
    /// The result of checking a code.
    enum Verdict: Sendable, Hashable {
        case accepted(session: String)
        case wrong
        /// This code, or a later one, was accepted before.
        case used
    }

    private struct Demand {
        let user: String
        let expires: Date
    }

    private struct State {
        /// The pending demands by the cookie value of the browser.
        var demands: [String: Demand] = [:]
        /// The users by session cookie value.
        var sessions: [String: String] = [:]
        var secrets: [String: [UInt8]] = [:]
        /// The latest step with an accepted code, by user.
        var lastSteps: [String: UInt64] = [:]
        /// The offset of this clock from the clock of the options.
        var advance: TimeInterval = 0
    }

    /// The steps, relative to the current one, whose codes are valid.
    private static let window: ClosedRange<Int64> = -1...1

    private let options: MockPasscodeOptions
    private let state = Mutex(State())

    init(options: MockPasscodeOptions) {
        self.options = options
    }

    /// The current time with the offset.
    var now: Date {
        let outside = options.now()
        return state.withLock { outside + $0.advance }
    }

    /// Advances the clock.
    func advance(by seconds: TimeInterval) { state.withLock { $0.advance += seconds } }

    /// Returns the code generator of a user's authenticator app.
    func passcode(of user: String) -> TimeBasedPasscode {
        let secret = state.withLock { state in
            if let secret = state.secrets[user] { return secret }
            // The length of a SHA-1 hash (RFC 4226, section 4).
            let secret = (0..<20).map { _ in UInt8.random(in: .min ... .max) }
            state.secrets[user] = secret
            return secret
        }
        return TimeBasedPasscode(secret: secret, algorithm: options.algorithm)
    }

    /// Records that a user was asked for a passcode, and returns the cookie value that identifies the browser.
    func demand(of user: String) -> String {
        let (id, now) = (Token.make(), now)
        state.withLock { state in
            state.demands = state.demands.filter { $0.value.expires > now }
            state.demands[id] = Demand(user: user, expires: now + options.formLifetime)
        }
        return id
    }

    /// Returns the user whose passcode was demanded from the browser with these cookie values.
    func user(askedBy ids: [String]) -> String? {
        let now = now
        return state.withLock { state in
            ids.compactMap { state.demands[$0] }.first { $0.expires > now }?.user
        }
    }

    /// Checks a code that a browser submitted.
    func judge(_ code: String, of user: String, askedBy ids: [String]) -> Verdict {
        let passcode = passcode(of: user)
        let present = Int64(passcode.step(at: now))
        let steps = Self.window.map { present + $0 }.filter { $0 >= 0 }.map { UInt64($0) }
        guard let step = steps.first(where: { passcode.code(step: $0) == code }) else { return .wrong }
        return state.withLock { state in
            if let last = state.lastSteps[user], step <= last { return .used }
            state.lastSteps[user] = step
            for id in ids { state.demands[id] = nil }
            let session = Token.make()
            state.sessions[session] = user
            return .accepted(session: session)
        }
    }

    /// Returns the users of sessions.
    func users(of sessions: [String]) -> [String] {
        state.withLock { state in sessions.compactMap { state.sessions[$0] } }
    }

    /// Ends sessions, and returns whether there was one.
    func endSessions(_ sessions: [String]) -> Bool {
        state.withLock { state in
            sessions.reduce(false) { ended, id in state.sessions.removeValue(forKey: id) != nil || ended }
        }
    }

    /// Ends all sessions.
    func endAllSessions() { state.withLock { $0.sessions.removeAll() } }
}
