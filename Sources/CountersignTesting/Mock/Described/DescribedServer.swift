import Countersign
import Foundation
import HTTPTypes
import Synchronization

/// The server side of one method: it answers the requests of its steps, and checks the credential of others.
final class DescribedServer: Sendable {
    private struct State {
        /// The issued values by slot, and whether they are valid.
        var issued: [Int: [String: Bool]] = [:]
        /// The issued cookies as `name=value`, and whether they are valid.
        var cookies: [String: Bool] = [:]
        /// The values of pushed authorization requests by their reference.
        var pushed: [String: [Int: String]] = [:]
        /// The names of the challenges to the next requests.
        var demands: [String] = []
    }

    let program: DescribedProgram
    private let recorder: DescribedRecorder
    private let state = Mutex(State())

    /// - Throws: ``MockLandscapeError`` if no response can be created that the client would understand.
    init(_ program: DescribedProgram, recorder: DescribedRecorder) throws(MockLandscapeError) {
        self.program = program
        self.recorder = recorder
        try rehearse()
    }

    var name: String { program.program.name }

    // MARK: Steps

    /// Returns the response to a request of a step; `nil` if it is no such request.
    func answer(_ request: MockRequest) -> MockResponse? {
        var refusal: DescribedProgram.Call?
        for call in program.calls {
            guard case .same(let values) = DescribedComparison.compare(request, with: call, of: program) else { continue }
            guard isValid(values), isAuthenticated(request, for: call) else {
                refusal = refusal ?? call
                continue
            }
            return answer(request, call, values)
        }
        return refusal.map { refuse(request, $0) }
    }

    private func answer(_ request: MockRequest, _ call: DescribedProgram.Call, _ values: [Int: String]) -> MockResponse {
        switch call.request {
        case .http(let http): return answer(http, call.purpose, values, request)
        case .token: return token(call.purpose, values)
        case .document(let document):
            let pattern = ChallengePattern("document", statuses: [200], json: document.json, captures: document.captures)
            return issue(DescribedResponse(pattern, of: program, given: values, withOptional: false), call.purpose)
        case .finish: return .page("<!doctype html><title>Signed in</title><p>Signed in.</p>")
        case .push:
            let reference = "urn:ietf:params:oauth:request_uri:\(Token.make())"
            state.withLock { $0.pushed[reference] = values }
            return MockResponse(
                status: .created, fields: [.contentType: "application/json", .cacheControl: "no-store"],
                body: #"{"request_uri":"\#(reference)","expires_in":60}"#.utf8)
        case .page(let page):
            let pushed = request.queryFields?["request_uri"].flatMap { reference in
                state.withLock { $0.pushed.removeValue(forKey: reference) }
            }
            return self.page(page, pushed ?? values)
        }
    }

    private func answer(
        _ call: HTTPCall, _ purpose: DescribedProgram.Purpose, _ values: [Int: String], _ request: MockRequest
    ) -> MockResponse {
        guard let response = response(to: call, values) else {
            return refusal(of: call) ?? .text("Refused.\n", status: .badRequest)
        }
        if purpose == .end { end(values, request) }
        return issue(response, purpose)
    }

    /// Returns the first response without a refusal that has values for the client, or otherwise the first without a refusal.
    private func response(to call: HTTPCall, _ values: [Int: String]) -> DescribedResponse? {
        let url = program.base
        let patterns = call.answers.map(\.pattern)
        let usable = call.answers.indices.lazy.compactMap { [program] number -> (Int, DescribedResponse)? in
            guard !call.answers[number].isRefusal else { return nil }
            let response = DescribedResponse(patterns[number], of: program, given: values, withOptional: false)
            let chosen = patterns.index(
                matching: response.response.head, body: response.response.body, from: url, program.filled(values), areAnswers: true)
            return chosen == number ? (number, response) : nil
        }
        let rich = usable.first { patterns[$0.0].cookies != nil || !patterns[$0.0].captures.isEmpty }
        return (rich ?? usable.first)?.1
    }

    private func token(_ purpose: DescribedProgram.Purpose, _ values: [Int: String]) -> MockResponse {
        let (access, refresh) = ("access-\(Token.make())", "refresh-\(Token.make())")
        state.withLock { state in
            // A refresh token can be used once.
            if let former = values[program.token.refresh] { state.issued[program.token.refresh]?[former] = false }
            state.issued[program.token.access, default: [:]][access] = true
            state.issued[program.token.refresh, default: [:]][refresh] = true
        }
        note(purpose)
        let body = """
            {"access_token":"\(access)","expires_in":3600,"refresh_token":"\(refresh)","token_type":"Bearer"}
            """
        return MockResponse(
            status: .ok, fields: [.contentType: "application/json", .cacheControl: "no-store"], body: body.utf8)
    }

    private func page(_ page: LoginPage, _ values: [Int: String]) -> MockResponse {
        switch page.end {
        case .userCode: return .page("<!doctype html><title>Device</title><p>The device is signed in.</p>")
        case .at(let end, _):
            guard let url = end.url(program.filled(values)) else {
                return .text("The page has no end.\n", status: .internalServerError)
            }
            let (name, value) = ("session", Token.make())
            state.withLock { $0.cookies["\(name)=\(value)"] = true }
            note(.acquire)
            return MockResponse.redirect(to: url.absoluteString).settingCookie(name, to: value)
        case .redirect(let redirect):
            guard let response = self.redirect(redirect, values),
                let url = values[redirect.slot].flatMap({ URL(string: $0) }) ?? program.known[redirect.slot].url
            else { return .text("The spec describes no redirect.\n", status: .internalServerError) }
            var query = response.query
            for member in redirect.verify.map({ $0 }) + redirect.agreed {
                if let name = program.plain(member.name, [:]) { query[name] = program.plain(member.value, values) }
            }
            let start = url.query(percentEncoded: true).map { "\($0)&" } ?? ""
            let target = "\(url.absoluteString.prefix { $0 != "?" })?\(start)\(query.serialized)"
            return issue(response, .acquire, as: .redirect(to: target))
        }
    }

    private func redirect(_ redirect: LoginPage.Redirect, _ values: [Int: String]) -> DescribedResponse? {
        let patterns = redirect.answers.map(\.pattern)
        return patterns.indices.lazy.compactMap { [program] number in
            // With 'error', it is an error response (RFC 6749, section 4.1.2.1), which some steps answer with another request.
            let isError = patterns[number].query.contains { $0.name == "error" }
            guard !redirect.answers[number].isRefusal, !isError else { return nil }
            let response = DescribedResponse(patterns[number], of: program, given: values, withOptional: false)
            let chosen = patterns.index(matching: response.query, from: program.base, program.filled(values))
            return chosen == number ? response : nil
        }.first
    }

    /// Returns the response to a login that has a wrong value.
    private func refuse(_ request: MockRequest, _ call: DescribedProgram.Call) -> MockResponse {
        recorder.count { $0.refusals += 1 }
        if case .http(let http) = call.request, let refusal = refusal(of: http) { return refusal }
        if case .token = call.request {
            return MockResponse(
                status: .badRequest, fields: [.contentType: "application/json", .cacheControl: "no-store"],
                body: #"{"error":"invalid_grant"}"#.utf8)
        }
        return .text("A value in the request of \(call.place) is wrong.\n", status: .badRequest)
    }

    /// Returns the first response that the spec describes as a refusal.
    private func refusal(of call: HTTPCall) -> MockResponse? {
        let patterns = call.answers.map(\.pattern)
        for number in patterns.indices where call.answers[number].isRefusal {
            let response = DescribedResponse(patterns[number], of: program, given: [:], withOptional: false).response
            let chosen = patterns.index(
                matching: response.head, body: response.body, from: program.base, program.known, areAnswers: true)
            if chosen == number { return response }
        }
        return nil
    }

    /// Whether the values are the accepted ones, and issued ones are valid.
    private func isValid(_ values: [Int: String]) -> Bool {
        state.withLock { state in
            values.allSatisfy { slot, value in
                if program.redirects.contains(slot) { return true }
                if program.known.indices.contains(slot), let known = program.known[slot].text { return known == value }
                return !program.issued.contains(slot) || state.issued[slot]?[value] == true
            }
        }
    }

    /// Whether the client of a token endpoint has authenticated itself.
    private func isAuthenticated(_ request: MockRequest, for call: DescribedProgram.Call) -> Bool {
        let client: HTTPCall.Client? =
            switch call.request {
            case .http(let call): call.client
            case .token(let call): call.client
            case .push(let push, _): push.client
            case .page, .document, .finish: nil
            }
        guard let client, let identifier = program.plain(client.identifier, [:]), client.key == nil else { return true }
        let secret = client.secret.flatMap { program.plain($0, [:]) }
        if let sent = request.basicCredentials {
            // Both forms of HTTP Basic are accepted, since few servers distinguish them.
            func isEqual(_ sent: String, _ expected: String?) -> Bool { sent == expected || FormEncoding.decode(sent) == expected }
            return isEqual(sent.user, identifier) && isEqual(sent.password, secret)
        }
        return request.form?["client_id"] == identifier && request.form?["client_secret"] == secret
    }

    // MARK: Values

    private func issue(
        _ response: DescribedResponse, _ purpose: DescribedProgram.Purpose, as sent: MockResponse? = nil
    ) -> MockResponse {
        let credential = program.program.credential
        let isPart = !response.cookies.isEmpty || response.values.keys.contains { credential.fields.map(\.slot).contains($0) }
        state.withLock { state in
            for (slot, value) in response.values { state.issued[slot, default: [:]][value] = true }
            for cookie in response.cookies { state.cookies[cookie] = true }
        }
        if isPart { note(purpose) }
        return sent ?? response.response
    }

    private func note(_ purpose: DescribedProgram.Purpose) {
        recorder.count { statistics in
            switch purpose {
            case .acquire: statistics.logins += 1
            case .renew: statistics.renewals += 1
            case .end, .metadata: break
            }
        }
    }

    private func end(_ values: [Int: String], _ request: MockRequest) {
        state.withLock { state in
            for (slot, value) in values where state.issued[slot]?[value] != nil { state.issued[slot]?[value] = false }
            for cookie in request.cookies { state.cookies["\(cookie.name)=\(cookie.value)"] = false }
        }
        recorder.count { $0.logouts += 1 }
    }

    /// Invalidates the issued credentials.
    ///
    /// - Parameter all: Whether those are included with which a client can renew a credential.
    func expire(all: Bool) {
        state.withLock { state in
            for slot in state.issued.keys where all || !program.lasting.contains(slot) {
                state.issued[slot] = state.issued[slot]?.mapValues { _ in false }
            }
            state.cookies = state.cookies.mapValues { _ in false }
        }
    }

    // MARK: Protected requests

    /// Whether a request carries a valid credential.
    func admits(_ request: MockRequest) -> Bool {
        let credential = program.program.credential
        if credential.isSessionCookies || credential.cookies != nil {
            let isKnown = state.withLock { state in request.cookies.contains { state.cookies["\($0.name)=\($0.value)"] == true } }
            if !isKnown { return false }
        }
        if credential.token != nil {
            let parts = request.fields[.authorization]?.split(separator: " ", maxSplits: 1).map(String.init) ?? []
            guard parts.count == 2, ["bearer", "dpop"].contains(parts[0].lowercased()), isValid([program.token.access: parts[1]])
            else {
                return false
            }
        }
        return program.program.attach.allSatisfy { carries($0, request) }
    }

    private func carries(_ placement: CredentialPlacement, _ request: MockRequest) -> Bool {
        switch placement {
        case .header(let name, let value): return has(name, value, request)
        case .query(let name, let value):
            guard let name = program.plain(name, [:]), program.text(value) != nil else { return true }
            return isSent([request.queryFields?[name]].compactMap(\.self), value, request)
        case .computed(_, let headers): return headers.allSatisfy { has($0.name, $0.value, request) }
        case .basic(let user, let password):
            guard let sent = request.basicCredentials else { return false }
            var comparison = DescribedComparison(request, of: program)
            comparison.compare(sent.user, with: user)
            comparison.compare(sent.password, with: password)
            return comparison.found.map(isValid) ?? false
        // The mock does not verify signatures.
        case .digest: return request.fields[.authorization]?.lowercased().hasPrefix("digest ") == true
        case .signature: return request.fields[.authorization] != nil || request.queryFields?["X-Amz-Signature"] != nil
        case .messageSignature: return HTTPField.Name("Signature").map { request.fields[$0] != nil } ?? false
        case .proof:
            // A token that is not bound to a key needs no proof (RFC 9449, section 7.1).
            guard request.fields[.authorization]?.lowercased().hasPrefix("dpop ") == true else { return true }
            return HTTPField.Name("DPoP").map { request.fields[$0] != nil } ?? false
        case .connection, .negotiate: return false
        }
    }

    private func has(_ name: ProgramTemplate, _ value: ProgramTemplate, _ request: MockRequest) -> Bool {
        guard let name = program.plain(name, [:]).flatMap({ HTTPField.Name($0) }), program.text(value) != nil else { return true }
        // Cookies of other origins can be in the same field (RFC 6265, section 5.4).
        let sent = name == .cookie ? request.cookies.map { "\($0.name)=\($0.value)" } : [request.fields[name]].compactMap(\.self)
        return isSent(sent, value, request)
    }

    /// Whether one of the texts is the described one, with valid values.
    private func isSent(_ texts: [String], _ value: ProgramTemplate, _ request: MockRequest) -> Bool {
        texts.contains { text in
            var comparison = DescribedComparison(request, of: program)
            comparison.compare(text, with: value)
            return comparison.found.map(isValid) ?? false
        }
    }

    /// Sends a challenge to the next protected request, whatever it carries.
    ///
    /// - Returns: Whether the method has such a challenge.
    func demand(_ name: String) -> Bool {
        guard program.program.challenges.contains(where: { $0.name == name }) else { return false }
        state.withLock { $0.demands.append(name) }
        return true
    }

    /// Takes the next demanded challenge; `nil` if none is demanded.
    func nextDemand() -> MockResponse? {
        let name = state.withLock { $0.demands.isEmpty ? nil : $0.demands.removeFirst() }
        return name.map { challenge(named: $0) }
    }

    /// Returns the response to a request without a valid credential.
    ///
    /// - Parameter name: The name of the challenge; `nil` for the one with the fewest conditions, since those with more ask for
    ///   something special, such as another scope.
    func challenge(named name: String? = nil) -> MockResponse {
        guard let response = described(challenge: name) else { return .text("There is no credential.\n", status: .unauthorized) }
        state.withLock { state in
            for (slot, value) in response.values { state.issued[slot, default: [:]][value] = true }
        }
        return response.response
    }

    private func described(challenge name: String?) -> DescribedResponse? {
        let patterns = program.program.challenges
        // The sort is stable: of several with as few conditions, the first is used.
        let order = patterns.indices.sorted { patterns[$0].conditionCount < patterns[$1].conditionCount }
        return order.lazy.compactMap { [program] number -> DescribedResponse? in
            guard name == nil || patterns[number].name == name, !patterns[number].isRefusedConnection else { return nil }
            let response = DescribedResponse(patterns[number], of: program, given: [:], withOptional: name != nil)
            let chosen = patterns.index(
                matching: response.response.head, body: response.response.body, from: program.base, program.known,
                areAnswers: false)
            return chosen == number ? response : nil
        }.first
    }

    /// Creates each response once.
    private func rehearse() throws(MockLandscapeError) {
        func unplayable(_ place: String) -> MockLandscapeError {
            .unplayable(method: name, key: place, reason: "no response can be made of its patterns that the client would recognise")
        }
        // Texts that a request would have.
        let values = Dictionary(uniqueKeysWithValues: program.program.slots.indices.map { ($0, "rehearsal") })
        for call in program.calls {
            switch call.request {
            case .http(let http):
                let canSucceed = http.answers.contains { !$0.isRefusal }
                if canSucceed, response(to: http, values) == nil { throw unplayable(call.place) }
            case .page(let page):
                if let redirect = page.redirectEnd, self.redirect(redirect, values) == nil { throw unplayable(call.place) }
            case .token, .push, .document, .finish: break
            }
        }
        if !program.program.challenges.isEmpty, described(challenge: nil) == nil { throw unplayable("challenge") }
    }
}

extension ChallengePattern {
    /// The number of conditions beside the status.
    fileprivate var conditionCount: Int {
        let cookieCount = if case .named(let cookies)? = cookies { cookies.count } else { cookies == nil ? 0 : 1 }
        return headers.count + json.count + xml.count + query.count + cookieCount + (text == nil ? 0 : 1)
            + schemes.reduce(0) { $0 + 1 + $1.parameters.count }
    }
}

extension LoginPage {
    fileprivate var redirectEnd: Redirect? { if case .redirect(let redirect) = end { redirect } else { nil } }
}

extension MockResponse {
    /// The head of the response.
    fileprivate var head: HTTPResponse { HTTPResponse(status: status, headerFields: fields) }
}

extension ProgramValue {
    fileprivate var url: URL? { if case .url(let url) = self { url } else { nil } }
}
