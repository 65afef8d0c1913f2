import Foundation
import Synchronization

/// Which users were asked for a passcode, which have given a good one, and which codes are used up.
///
/// Written from RFC 6238: a code of the step before or after is good, too (section 5.2), and a code is good once.
final class PasscodeLedger: Sendable {
    /// What comes of a code.
    enum Verdict: Sendable, Hashable {
        case accepted(session: String)
        case wrong
        /// The code, or one that was shown after it, was accepted before.
        case used
    }

    private struct Demand {
        let user: String
        let expires: Date
    }

    private struct State {
        /// By the value of the cookie of the browser that was asked.
        var demands: [String: Demand] = [:]
        /// Users by the value of their cookie.
        var sessions: [String: String] = [:]
        var secrets: [String: [UInt8]] = [:]
        /// The latest step of which a code was accepted, by user.
        var lastSteps: [String: UInt64] = [:]
        /// How much later it is here than outside.
        var advance: TimeInterval = 0
    }

    /// The steps before and after the present one whose codes are good.
    private static let window: ClosedRange<Int64> = -1...1

    private let options: MockPasscodeOptions
    private let state = Mutex(State())

    init(options: MockPasscodeOptions) {
        self.options = options
    }

    /// What the time is here.
    var now: Date {
        let outside = options.now()
        return state.withLock { outside + $0.advance }
    }

    /// Lets time pass.
    func advance(by seconds: TimeInterval) { state.withLock { $0.advance += seconds } }

    /// What a user's app makes codes with.
    func passcode(of user: String) -> TimeBasedPasscode {
        let secret = state.withLock { state in
            if let secret = state.secrets[user] { return secret }
            // As long as the hash is (RFC 4226, section 4).
            let secret = (0..<20).map { _ in UInt8.random(in: .min ... .max) }
            state.secrets[user] = secret
            return secret
        }
        return TimeBasedPasscode(secret: secret, algorithm: options.algorithm)
    }

    /// Asks a user for a passcode; the value of the cookie by which the browser is known that answers.
    func demand(of user: String) -> String {
        let (id, now) = (Token.make(), now)
        state.withLock { state in
            state.demands = state.demands.filter { $0.value.expires > now }
            state.demands[id] = Demand(user: user, expires: now + options.formLifetime)
        }
        return id
    }

    /// The user whose passcode a browser with these cookies was asked for.
    func user(askedBy ids: [String]) -> String? {
        let now = now
        return state.withLock { state in
            ids.compactMap { state.demands[$0] }.first { $0.expires > now }?.user
        }
    }

    /// Looks at a code that a browser brings.
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

    /// The users of sessions.
    func users(of sessions: [String]) -> [String] {
        state.withLock { state in sessions.compactMap { state.sessions[$0] } }
    }

    /// Ends sessions; whether there was one.
    func endSessions(_ sessions: [String]) -> Bool {
        state.withLock { state in
            sessions.reduce(false) { ended, id in state.sessions.removeValue(forKey: id) != nil || ended }
        }
    }

    /// Ends all sessions.
    func endAllSessions() { state.withLock { $0.sessions.removeAll() } }
}
