#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import HTTPTypes

/// Fetches the documents and keys of servers unless they are cached, and verifies tokens.
struct PublicationRun {
    let method: PreparedProgram
    let session: Session
    /// All values by slot.
    var values: [ProgramValue]

    /// The tolerance in seconds for differences between clocks and for transmission times.
    private static var leeway: TimeInterval { 300 }

    /// A server has the document at none of its locations: the failure of the last.
    private struct NotFound: Error {
        let failure: StepFailure
    }

    // MARK: Documents

    /// Returns the captured values of a document. If its server does not have it and the server's URL comes from another document
    /// that names several, the next of these is tried. The values then include that URL.
    ///
    /// - Parameter furtherURLs: The further URLs by slot.
    /// - Throws: The errors of ``CallRun/said()``.
    func values(ofDocument number: Int, or furtherURLs: [Int: [URL]]) async throws -> PublishedValues {
        do {
            return try await found(number)
        } catch let first as NotFound {
            let slots = method.program.documents[number].places.flatMap(\.url.slots)
            guard let slot = slots.first(where: { furtherURLs[$0] != nil }) else { throw first.failure }
            for url in furtherURLs[slot] ?? [] {
                var run = self
                run.values[slot] = .url(url)
                do {
                    var found = try await run.found(number)
                    found.values[slot] = .url(url)
                    return found
                } catch is NotFound {}
            }
            throw first.failure
        }
    }

    /// - Throws: ``NotFound``; the errors of ``CallRun/said()``.
    private func found(_ number: Int) async throws -> PublishedValues {
        let document = method.program.documents[number]
        let places = document.places.compactMap { $0.address(values) }
        // If a challenge names the URL, the document may have changed (RFC 9728, section 5.2).
        let isNamed = document.places.contains { place in
            place.url.slots.contains { method.program.slots[$0].source == .challenge && values[$0] != .absent }
        }
        let parameters = document.slots.filter { method.program.slots[$0].source == .parameter }.map { values[$0] }
        if !isNamed,
            let kept = method.publications.values(of: document, at: places, for: parameters, now: session.now())
        {
            return kept
        }
        var missing: StepFailure?
        for place in places {
            let url = ProgramTemplate.text(place.absoluteString)
            let answers = conditions(on: document).map {
                HTTPCall.Answer(statuses: [200], json: $0, captures: document.captures)
            }
            var run = run(of: HTTPCall("GET", url, headers: ["Accept": "application/json"], answers: answers))
            do {
                var said = PublishedValues(values: try await run.said())
                said.furtherURLs = run.furtherURLs
                method.publications.keep(said, of: document, at: places, for: parameters, now: session.now())
                return said
            } catch let failure as StepFailure where failure.kind == .status {
                // After 408, 425 and 429, the same request can succeed later, so the document need not be elsewhere.
                guard let status = run.place?.status, (400..<500).contains(status), ![408, 425, 429].contains(status) else {
                    throw failure
                }
                missing = failure
            }
        }
        if let missing { throw NotFound(failure: missing) }
        throw CountersignError(.invalidRequest, detail: "a document has no address")
    }

    /// Returns the conditions on a document, and again with the other spelling of a URL without a path that another server has
    /// named: such a URL can end with a slash or not (RFC 3986, section 6.2.3), and many servers do not agree on that. A parameter
    /// is compared as it is, since the application can correct it.
    private func conditions(on document: ProgramDocument) -> [NamedList<ChallengePattern.Named>] {
        let others = document.json.map { named -> ChallengePattern.Named in
            guard case .equals(let template) = named.match, let slot = template.loneSlot,
                method.program.slots[slot].source != .parameter, case .url(let url) = values[slot],
                let other = url.otherSpellingOfServer
            else { return named }
            return ChallengePattern.Named(named.name, .equals(ProgramTemplate(.text(other))))
        }
        return others == Array(document.json) ? [document.json] : [document.json, NamedList(others)]
    }

    /// Returns the run of a request with neither the session's cookies nor the credential.
    private func run(of call: HTTPCall) -> CallRun {
        CallRun(
            call: call, method: method, session: session, values: values, cookies: session.cookies.emptied(), secrets: [],
            isPublication: true)
    }

    // MARK: Tokens

    /// Verifies a token and returns the captured claims, by slot.
    ///
    /// - Throws: ``StepFailure``; the errors of ``CallRun/said()``.
    func values(of verification: TokenVerification) async throws -> [Int: ProgramValue] {
        guard let signatures = method.tools.signatures else {
            throw CountersignError(.invalidRequest, detail: "no module that verifies signatures is linked")
        }
        guard let token = values[verification.token].text, case .url(let place) = values[verification.keys] else {
            throw StepFailure(.missing, "the token, or the address of its issuer's keys, is missing")
        }
        let signed: SignedClaims
        do {
            signed = try await self.signed(token, by: signatures, at: place, verification)
        } catch let error as TokenProblem {
            throw Self.untrusted(error.words)
        }
        guard let claims = JSONTree(signed.claims) else { throw Self.untrusted("its claims are not JSON") }
        try check(claims, verification)
        try checkTimes(claims, at: Date(), within: age(wanted: verification))
        if let slot = verification.accessToken, let accessToken = values[slot].text, let hash = claims["/at_hash"]?.text,
            !isSame(hash, signed.halfHash(accessToken))
        {
            throw Self.untrusted("its 'at_hash' is that of another access token")
        }
        return try captured(of: signed.claims, verification)
    }

    /// Returns the claims of a token that its issuer has signed. The issuer's current keys are fetched if none of the cached keys
    /// fits.
    private func signed(
        _ token: String, by signatures: any SignatureVerifying, at place: URL, _ verification: TokenVerification
    ) async throws -> SignedClaims {
        if let kept = method.publications.keys(at: place, now: session.now()) {
            do throws(TokenProblem) {
                return try await signatures.signed(token, by: kept)
            } catch {
                // The cached keys may be outdated or not a key set. A token that names no key has been tried with all of them.
                guard [.unknownKey, .signature, .keys].contains(error) else { throw error }
            }
        }
        let keys = try await keys(of: verification)
        let signed = try await signatures.signed(token, by: keys)
        method.publications.keep(keys, at: place, now: session.now())
        return signed
    }

    /// Fetches the keys that steps will need before they send a request that a server accepts only once, because without the keys
    /// its response would be lost.
    func fetchKeys(for steps: [ProgramStep]) async throws {
        for verification in steps.flatMap(\.verifications) {
            guard case .url(let place) = values[verification.keys],
                method.publications.keys(at: place, now: session.now()) == nil
            else { continue }
            method.publications.keep(try await keys(of: verification), at: place, now: session.now())
        }
    }

    /// Returns the current keys of an issuer.
    ///
    /// - Throws: ``TokenProblem/keys``; ``CountersignError``; ``StepFailure``, with a ``CountersignError`` in place of a
    ///   ``TransportError`` so that no earlier request is repeated.
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

    /// Compares code point by code point (RFC 7519, section 2), unlike `==` of Swift texts.
    private func isSame(_ claim: String, _ expected: String) -> Bool { claim.utf8.elementsEqual(expected.utf8) }

    private func check(_ claims: JSONTree, _ verification: TokenVerification) throws(StepFailure) {
        for claim in verification.claims {
            guard let name = claim.name.text(values) else { continue }
            guard let expected = claim.value.text(values) else {
                guard name != "iss", name != "aud" else { throw Self.untrusted("there is no expected value for its '\(name)'") }
                continue
            }
            let found = claims["/" + name.replacing("~", with: "~0").replacing("/", with: "~1")]
            guard name == "aud" else {
                guard let text = found?.text else { throw Self.untrusted("it has no '\(name)'") }
                guard isSame(text, expected) else {
                    throw name == "sub" ? Self.otherUser : Self.untrusted("its '\(name)' does not match")
                }
                continue
            }
            let audiences = found?.texts ?? []
            guard audiences.contains(where: { isSame($0, expected) }) else { throw Self.untrusted("it is for another client") }
            // A token with several audiences must name this client in `azp` (OpenID Connect Core, section 3.1.3.7).
            let party = claims["/azp"]
            let isOwn = party.map { $0.text.map { isSame($0, expected) } ?? false } ?? (audiences.count == 1)
            guard isOwn else {
                throw Self.untrusted("it was issued to another client")
            }
        }
    }

    /// Returns the maximum age of the user's login in seconds; `nil` for no limit.
    private func age(wanted verification: TokenVerification) throws(StepFailure) -> TimeInterval? {
        guard let text = verification.maximumAge.flatMap({ values[$0].text }) else { return nil }
        guard let seconds = UInt32(text) else { throw Self.untrusted("the maximum age of the login is not a number of seconds") }
        return TimeInterval(seconds)
    }

    /// - Parameter age: The maximum age of the user's login in seconds; `nil` for no limit.
    private func checkTimes(_ claims: JSONTree, at now: Date, within age: TimeInterval?) throws(StepFailure) {
        func date(_ name: String) throws(StepFailure) -> Date? {
            guard let claim = claims["/\(name)"] else { return nil }
            // Later years could not be converted for messages.
            guard case .scalar(let text) = claim, let seconds = Double(text), abs(seconds) < 1e12 else {
                throw Self.untrusted("its '\(name)' is not a time")
            }
            return Date(timeIntervalSince1970: seconds)
        }
        func seconds(_ interval: TimeInterval) -> String { "\(Int(interval)) seconds" }
        guard let end = try date("exp") else { throw Self.untrusted("it has no 'exp'") }
        let excess = now.timeIntervalSince(end)
        guard excess < Self.leeway else { throw Self.untrusted("it expired \(seconds(excess)) ago, by this machine's clock") }
        if let age {
            guard let login = try date("auth_time") else { throw Self.untrusted("it does not say when the user logged in") }
            let passed = now.timeIntervalSince(login)
            guard passed < age + Self.leeway, passed > -Self.leeway else {
                throw Self.untrusted(
                    "the user logged in \(seconds(passed)) ago, by this machine's clock, and at most \(seconds(age)) are allowed")
            }
        }
        for name in ["iat", "nbf"] {
            guard let start = try date(name)?.timeIntervalSince(now), start >= Self.leeway else { continue }
            throw Self.untrusted("it is dated \(seconds(start)) in the future, by this machine's clock")
        }
    }

    /// Returns the captured claims, which are read like a JSON body.
    private func captured(of claims: [UInt8], _ verification: TokenVerification) throws -> [Int: ProgramValue] {
        guard !verification.captures.isEmpty, case .url(let url) = values[verification.keys],
            let pattern = CompiledChallenge(ChallengePattern("token", captures: verification.captures), values)
        else { return [:] }
        var reading = ResponseReading(HTTPResponse(status: .ok), from: url, body: claims, judgedBy: session.cookies)
        guard pattern.hasAll(of: &reading) else {
            throw StepFailure(.missing, "the token lacks a required claim", .untrustedToken)
        }
        do throws(CountersignError) {
            return try pattern.values(&reading)
        } catch {
            throw StepFailure(.missing, error.detail, error: error)
        }
    }

    /// The error of a token for another user than the expected one. The identifiers of users are not part of it.
    private static var otherUser: StepFailure {
        let detail = "the server's token is for another user than the expected one"
        return StepFailure(.untrusted, detail, error: CountersignError(.otherUser, detail: detail))
    }

    private static func untrusted(_ detail: String) -> StepFailure {
        StepFailure(
            .untrusted, detail, error: CountersignError(.untrustedToken, detail: "the server's token is not accepted: \(detail)"))
    }
}

extension URL {
    /// The URL of a server with a slash at its end in place of none, or without it; `nil` for a URL with more than that.
    fileprivate var otherSpellingOfServer: String? {
        guard query(percentEncoded: true) == nil, fragment(percentEncoded: true) == nil else { return nil }
        return switch path(percentEncoded: true) {
        case "": absoluteString + "/"
        case "/": String(absoluteString.dropLast())
        default: nil
        }
    }
}

extension TokenProblem {
    fileprivate var words: String {
        switch self {
        case .malformed: "it is not a signed JSON Web Token"
        case .algorithm: "it is not signed with an asymmetric algorithm"
        case .unknownKey: "it names a key that its issuer does not have"
        case .keys: "its issuer's keys cannot be read"
        case .signature: "its signature is not from its issuer"
        }
    }
}
