import Synchronization

/// The values and cookies that the mock has issued for a method, and their validity.
final class DescribedIssues: Sendable {
    private enum Validity {
        case valid
        /// Steps accept it, such as those of a renewal.
        case expired
        case ended
    }

    private struct State {
        /// The texts by slot.
        var texts: [Int: [String: Validity]] = [:]
        /// The cookies of each login, as `name=value`.
        var logins: Set<Set<String>> = []
        /// The nonces of Digest challenges.
        var nonces: Set<String> = []
    }

    private let program: DescribedProgram
    private let state = Mutex(State())

    init(_ program: DescribedProgram) { self.program = program }

    // MARK: Issue

    /// Notes what a response contains.
    ///
    /// - Parameter isLogin: Whether its cookies are the credential.
    func note(_ response: DescribedResponse, isLogin: Bool = false) {
        state.withLock { state in
            for (slot, text) in response.values { state.texts[slot, default: [:]][text] = .valid }
            state.nonces.formUnion(response.nonces)
            if isLogin, !response.cookies.isEmpty { state.logins.insert(response.cookies) }
        }
    }

    /// Notes the value of a slot.
    func note(_ text: String, of slot: Int) { state.withLock { $0.texts[slot, default: [:]][text] = .valid } }

    /// Notes the cookie of a login page.
    func note(cookie name: String, _ value: String) { state.withLock { _ = $0.logins.insert(["\(name)=\(value)"]) } }

    /// Notes a token. A refresh token can be used once.
    func note(access: String, refresh: String, replacing former: String?) {
        state.withLock { state in
            if let former { state.texts[program.token.refresh]?[former] = .ended }
            state.texts[program.token.access, default: [:]][access] = .valid
            state.texts[program.token.refresh, default: [:]][refresh] = .valid
        }
    }

    // MARK: End

    /// Invalidates what a request of `end` contains.
    func end(_ values: [Int: String], _ cookies: Set<String>) {
        state.withLock { state in
            for (slot, value) in values {
                for source in program.sources(of: slot) where state.texts[source]?[value] != nil {
                    state.texts[source]?[value] = .ended
                }
            }
            state.logins = state.logins.filter { $0.isDisjoint(with: cookies) }
        }
    }

    /// Invalidates everything.
    ///
    /// - Parameter all: Whether values with which a client can renew a credential are invalid for the renewal, too.
    func expire(all: Bool) {
        let lasting = program.lasting.reduce(into: Set<Int>()) { $0.formUnion(program.sources(of: $1)) }
        state.withLock { state in
            for slot in state.texts.keys {
                state.texts[slot] = state.texts[slot]?.mapValues { validity in
                    validity == .ended || all || !lasting.contains(slot) ? .ended : .expired
                }
            }
            state.logins = []
        }
    }

    // MARK: Check

    /// Whether values are the accepted ones, and issued ones are valid.
    ///
    /// - Parameter isCredential: Whether a protected request carries them, and not a step.
    func isValid(_ values: [Int: String], asCredential isCredential: Bool) -> Bool {
        state.withLock { state in
            values.allSatisfy { slot, value in
                if program.redirects.contains(slot) { return true }
                if let known = program.knownText(slot) { return known == value }
                return program.sources(of: slot).contains { source in
                    switch state.texts[source]?[value] {
                    case .valid?: true
                    case .expired?: !isCredential
                    case .ended?: false
                    case nil: program.knownText(source).map { $0 == value } ?? program.acceptsAnything(source)
                    }
                }
            }
        }
    }

    /// Whether cookies include those of a login.
    func includeLogin(_ cookies: Set<String>) -> Bool {
        state.withLock { state in state.logins.contains { $0.isSubset(of: cookies) } }
    }

    /// Whether a Digest challenge had the nonce.
    func isKnown(nonce: String) -> Bool { state.withLock { $0.nonces.contains(nonce) } }
}
