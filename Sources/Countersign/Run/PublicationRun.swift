#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import HTTPTypes

/// Fetches what servers publish, unless that was done lately, and checks what they have signed.
struct PublicationRun {
    let method: PreparedProgram
    let session: Session
    /// All values by slot.
    let values: [ProgramValue]

    /// Clocks differ, and tokens are on their way for some time.
    private static var leeway: TimeInterval { 300 }

    // MARK: Documents

    /// What a document says, by slot.
    ///
    /// - Throws: What ``CallRun/said()`` throws.
    func values(ofDocument number: Int) async throws -> [Int: ProgramValue] {
        let document = method.program.documents[number]
        let places = document.places.compactMap { $0.address(values) }
        // Where a challenge names the address, what is there may have changed (RFC 9728, section 5.2).
        let isNamed = document.places.contains { place in
            place.url.slots.contains { method.program.slots[$0].source == .challenge && values[$0] != .absent }
        }
        let parameters = document.slots.filter { method.program.slots[$0].source == .parameter }.map { values[$0] }
        if !isNamed,
            let kept = method.publications.values(of: document, at: places, for: parameters, now: session.now())
        {
            return kept
        }
        for (index, place) in places.enumerated() {
            let url = ProgramTemplate.text(place.absoluteString)
            let answer = HTTPCall.Answer(statuses: [200], json: document.json, captures: document.captures)
            var run = run(of: HTTPCall("GET", url, headers: ["Accept": "application/json"], answers: [answer]))
            do {
                let said = try await run.said()
                method.publications.keep(said, of: document, at: places, for: parameters, now: session.now())
                return said
            } catch let failure as StepFailure where failure.kind == .status && index + 1 < places.count {
                guard let status = run.place?.status, (400..<500).contains(status) else { throw failure }
            }
        }
        throw CountersignError(.invalidRequest, detail: "a document has no address")
    }

    /// A request with nothing of the session's, nor of the credential.
    private func run(of call: HTTPCall) -> CallRun {
        CallRun(call: call, method: method, session: session, values: values, cookies: session.cookies.emptied(), secrets: [])
    }

    // MARK: Tokens

    /// What a token says, by slot.
    ///
    /// - Throws: ``StepFailure``; what ``CallRun/said()`` throws.
    func values(of verification: TokenVerification) async throws -> [Int: ProgramValue] {
        guard let signatures = method.tools.signatures else {
            throw CountersignError(.invalidRequest, detail: "there is nothing that verifies signatures")
        }
        guard let token = values[verification.token].text, case .url(let place) = values[verification.keys] else {
            throw StepFailure(.missing, "there is no token, or no address of its issuer's keys")
        }
        let signed: SignedClaims
        do {
            signed = try await self.signed(token, by: signatures, at: place, verification)
        } catch let error as TokenProblem {
            throw Self.untrusted(error.words)
        }
        guard let claims = JSONTree(signed.claims) else { throw Self.untrusted("its claims are no JSON") }
        try check(claims, verification)
        try checkTimes(claims, at: Date(), within: age(wanted: verification))
        if let slot = verification.accessToken, let accessToken = values[slot].text, let hash = claims["/at_hash"]?.text,
            !isSame(hash, signed.halfHash(accessToken))
        {
            throw Self.untrusted("its 'at_hash' is that of another access token")
        }
        return try captured(of: signed.claims, verification)
    }

    /// The claims of a token whose issuer has signed it: with keys that are kept, or with those that the issuer has now, if none of these fits.
    private func signed(
        _ token: String, by signatures: any SignatureVerifying, at place: URL, _ verification: TokenVerification
    ) async throws -> SignedClaims {
        if let kept = method.publications.keys(at: place, now: session.now()) {
            do throws(TokenProblem) {
                return try await signatures.signed(token, by: kept)
            } catch {
                // What is kept may be old, or was no set of keys; a token that names no key is tried with all of them.
                guard [.unknownKey, .signature, .keys].contains(error) else { throw error }
            }
        }
        let keys = try await keys(of: verification)
        let signed = try await signatures.signed(token, by: keys)
        method.publications.keep(keys, at: place, now: session.now())
        return signed
    }

    /// Fetches the keys that steps will need, before anything is sent that a server takes once: what it gives for that would be lost for
    /// want of them.
    func fetchKeys(for steps: [ProgramStep]) async throws {
        for verification in steps.flatMap(\.verifications) {
            guard case .url(let place) = values[verification.keys],
                method.publications.keys(at: place, now: session.now()) == nil
            else { continue }
            method.publications.keep(try await keys(of: verification), at: place, now: session.now())
        }
    }

    /// The keys that an issuer has now.
    ///
    /// - Throws: ``TokenProblem/keys``; ``CountersignError``, and nothing that has a request before it sent once more.
    private func keys(of verification: TokenVerification) async throws -> [UInt8] {
        let call = HTTPCall(
            "GET", .slot(verification.keys), headers: ["Accept": "application/jwk-set+json, application/json"],
            answers: [
                HTTPCall.Answer(statuses: [200], json: ["/keys/0": .present], captures: [.slot(0, from: .body, as: .json)])
            ])
        var run = run(of: call)
        do {
            guard case .json(let text)? = try await run.said()[0] else { throw TokenProblem.keys }
            return Array(text.utf8)
        } catch let failure as StepFailure where failure.kind == .network {
            throw StepFailure(
                .network, failure.detail,
                error: CountersignError(
                    .unreachable, detail: "the issuer's keys could not be fetched: \(failure.detail)", origin: run.place?.origin))
        }
    }

    /// RFC 7519, section 2: code point by code point, which Swift's `==` of texts is not.
    private func isSame(_ claim: String, _ expected: String) -> Bool { claim.utf8.elementsEqual(expected.utf8) }

    private func check(_ claims: JSONTree, _ verification: TokenVerification) throws(StepFailure) {
        for claim in verification.claims {
            guard let name = claim.name.text(values) else { continue }
            guard let expected = claim.value.text(values) else {
                guard name != "iss", name != "aud" else { throw Self.untrusted("there is nothing that its '\(name)' has to be") }
                continue
            }
            let found = claims["/" + name.replacing("~", with: "~0").replacing("/", with: "~1")]
            guard name == "aud" else {
                guard let text = found?.text, isSame(text, expected) else { throw Self.untrusted("its '\(name)' is another one") }
                continue
            }
            let audiences = found?.texts ?? []
            guard audiences.contains(where: { isSame($0, expected) }) else { throw Self.untrusted("it is for another client") }
            // OpenID Connect Core, section 3.1.3.7: the one of several that it was given to.
            let party = claims["/azp"]
            let isOwn = party.map { $0.text.map { isSame($0, expected) } ?? false } ?? (audiences.count == 1)
            guard isOwn else {
                throw Self.untrusted("it was given to another client")
            }
        }
    }

    /// How long ago the user may have logged in; `nil` for however long.
    private func age(wanted verification: TokenVerification) throws(StepFailure) -> TimeInterval? {
        guard let text = verification.maximumAge.flatMap({ values[$0].text }) else { return nil }
        guard let seconds = UInt32(text) else { throw Self.untrusted("how long ago the login may be is no number of seconds") }
        return TimeInterval(seconds)
    }

    /// - Parameter age: How long ago the user may have logged in; `nil` for however long.
    private func checkTimes(_ claims: JSONTree, at now: Date, within age: TimeInterval?) throws(StepFailure) {
        func date(_ name: String) throws(StepFailure) -> Date? {
            guard let claim = claims["/\(name)"] else { return nil }
            guard case .scalar(let text) = claim, let seconds = Double(text), seconds.isFinite else {
                throw Self.untrusted("its '\(name)' is no time")
            }
            return Date(timeIntervalSince1970: seconds)
        }
        func seconds(_ interval: TimeInterval) -> String { "\(Int(min(interval, 1e12))) seconds" }
        guard let end = try date("exp") else { throw Self.untrusted("it has no 'exp'") }
        let excess = now.timeIntervalSince(end)
        guard excess < Self.leeway else { throw Self.untrusted("it has expired \(seconds(excess)) ago, by this machine's clock") }
        if let age {
            guard let login = try date("auth_time") else { throw Self.untrusted("it does not say when the user has logged in") }
            let passed = now.timeIntervalSince(login)
            guard passed < age + Self.leeway, passed > -Self.leeway else {
                throw Self.untrusted(
                    "the user has logged in \(seconds(passed)) ago, by this machine's clock, where \(seconds(age)) are wanted")
            }
        }
        for name in ["iat", "nbf"] {
            guard let start = try date(name)?.timeIntervalSince(now), start >= Self.leeway else { continue }
            throw Self.untrusted("it is of \(seconds(start)) from now, by this machine's clock")
        }
    }

    /// The claims that are taken, read as a body of JSON is.
    private func captured(of claims: [UInt8], _ verification: TokenVerification) throws -> [Int: ProgramValue] {
        guard !verification.captures.isEmpty, case .url(let url) = values[verification.keys],
            let pattern = CompiledChallenge(ChallengePattern("token", captures: verification.captures), values)
        else { return [:] }
        var reading = ResponseReading(HTTPResponse(status: .ok), from: url, body: claims, judgedBy: session.cookies)
        guard pattern.hasAll(of: &reading) else {
            throw StepFailure(.missing, "the token lacks a claim that is needed", .untrustedToken)
        }
        do throws(CountersignError) {
            return try pattern.values(&reading)
        } catch {
            throw StepFailure(.missing, error.detail, error: error)
        }
    }

    private static func untrusted(_ detail: String) -> StepFailure {
        StepFailure(
            .untrusted, detail, error: CountersignError(.untrustedToken, detail: "the server's token is not taken: \(detail)"))
    }
}

extension TokenProblem {
    fileprivate var words: String {
        switch self {
        case .malformed: "it is no signed JSON Web Token"
        case .algorithm: "it is signed by no asymmetric algorithm"
        case .unknownKey: "it names a key that its issuer does not have"
        case .keys: "its issuer's keys cannot be read"
        case .signature: "its signature is none of its issuer"
        }
    }
}
