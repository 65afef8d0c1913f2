import Countersign
import Foundation
import HTTPTypes
import Synchronization

/// The server side of one method: it answers the requests of its steps, and checks the credential of others.
final class DescribedServer: Sendable {
    private struct State {
        /// The values of pushed authorization requests by their reference.
        var pushed: [String: [Int: String]] = [:]
        /// The names of the challenges to the next requests.
        var demands: [String] = []
    }

    let program: DescribedProgram
    private let recorder: DescribedRecorder
    private let issues: DescribedIssues
    private let credential: DescribedCredential
    private let state = Mutex(State())

    /// - Throws: ``MockLandscapeError`` if no response can be created that the client would understand.
    init(_ program: DescribedProgram, recorder: DescribedRecorder) throws(MockLandscapeError) {
        self.program = program
        self.recorder = recorder
        issues = DescribedIssues(program)
        credential = DescribedCredential(
            program: program, issues: issues, lacking: program.lacking(try program.rehearse()))
    }

    var name: String { program.program.name }

    // MARK: Steps

    /// Returns the response to a request of a step; `nil` if it is no such request.
    ///
    /// Of several steps whose members the request has, the one with the most is meant: a login with a second factor is often the
    /// same request once more, with the passcode in addition.
    func answer(_ request: MockRequest) -> MockResponse? {
        var matches: [(call: DescribedProgram.Call, values: [Int: String], members: Int)] = []
        for call in program.calls {
            let result = DescribedComparison.compare(request, with: call, of: program)
            if case .same(let values, members: let members) = result { matches.append((call, values, members)) }
        }
        let most = matches.map(\.members).max()
        let meant = matches.filter { $0.members == most }
        let accepted = meant.first { match in
            issues.isValid(match.values, asCredential: false) && isAuthenticated(request, for: match.call)
        }
        guard let accepted else { return meant.first.map { refuse($0.call) } }
        return answer(request, accepted.call, accepted.values)
    }

    private func answer(_ request: MockRequest, _ call: DescribedProgram.Call, _ values: [Int: String]) -> MockResponse {
        switch call.request {
        case .http(let http):
            guard let response = program.response(to: http, values) else {
                return program.refusal(of: http) ?? .text("Refused.\n", status: .badRequest)
            }
            if call.purpose == .end {
                issues.end(values, Set(request.cookiePairs))
                recorder.count { $0.logouts += 1 }
            }
            return issue(response, call)
        case .token: return token(call.purpose, values)
        case .document(let document): return issue(program.response(with: document, values), call)
        case .finish: return .page("<!doctype html><title>Signed in</title><p>Signed in.</p>")
        case .push:
            let reference = "urn:ietf:params:oauth:request_uri:\(Token.make())"
            state.withLock { $0.pushed[reference] = values }
            return MockResponse(
                status: .created, fields: [.contentType: "application/json", .cacheControl: "no-store"],
                body: #"{"request_uri":"\#(reference)","expires_in":60}"#.utf8)
        case .page(let page):
            guard page.push != nil, let reference = request.queryFields?["request_uri"] else {
                return self.page(page, call, values)
            }
            // A reference can be used once.
            guard let pushed = state.withLock({ $0.pushed.removeValue(forKey: reference) }) else { return refuse(call) }
            return self.page(page, call, pushed)
        }
    }

    private func token(_ purpose: DescribedProgram.Purpose, _ values: [Int: String]) -> MockResponse {
        let (access, refresh) = ("access-\(Token.make())", "refresh-\(Token.make())")
        issues.note(access: access, refresh: refresh, replacing: values[program.token.refresh])
        note(purpose)
        let body = """
            {"access_token":"\(access)","expires_in":3600,"refresh_token":"\(refresh)","token_type":"Bearer"}
            """
        return MockResponse(
            status: .ok, fields: [.contentType: "application/json", .cacheControl: "no-store"], body: body.utf8)
    }

    private func page(_ page: LoginPage, _ call: DescribedProgram.Call, _ values: [Int: String]) -> MockResponse {
        switch page.end {
        case .userCode: return .page("<!doctype html><title>Device</title><p>The device is signed in.</p>")
        case .at(let end, _):
            guard let url = end.url(program.filled(values)) else {
                return .text("The page has no end.\n", status: .internalServerError)
            }
            let (name, value) = ("session", Token.make())
            issues.note(cookie: name, value)
            note(.acquire)
            return MockResponse.redirect(to: url.absoluteString).settingCookie(name, to: value)
        case .redirect(let redirect):
            guard let response = program.redirect(redirect, values),
                let url = values[redirect.slot].flatMap({ URL(string: $0) }) ?? program.known[redirect.slot].url
            else { return .text("The spec describes no redirect.\n", status: .internalServerError) }
            var query = response.query
            for member in redirect.verify.map({ $0 }) + redirect.agreed {
                if let name = program.plain(member.name, [:]) { query[name] = program.plain(member.value, values) }
            }
            let start = url.query(percentEncoded: true).map { "\($0)&" } ?? ""
            let target = "\(url.absoluteString.prefix { $0 != "?" })?\(start)\(query.serialized)"
            return issue(response, call, as: .redirect(to: target))
        }
    }

    /// Returns the response to a login that has a wrong value.
    private func refuse(_ call: DescribedProgram.Call) -> MockResponse {
        recorder.count { $0.refusals += 1 }
        if case .http(let http) = call.request, let refusal = program.refusal(of: http) { return refusal }
        if case .token = call.request {
            return MockResponse(
                status: .badRequest, fields: [.contentType: "application/json", .cacheControl: "no-store"],
                body: #"{"error":"invalid_grant"}"#.utf8)
        }
        return .text("A value in the request of \(call.place) is wrong.\n", status: .badRequest)
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
        _ response: DescribedResponse, _ call: DescribedProgram.Call, as sent: MockResponse? = nil
    ) -> MockResponse {
        issues.note(response, isLogin: call.isLogin)
        let isPart = call.isLogin && !response.cookies.isEmpty || !program.credentialSlots.isDisjoint(with: response.values.keys)
        if isPart { note(call.purpose) }
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

    /// Invalidates the issued credentials.
    ///
    /// - Parameter all: Whether those are included with which a client can renew a credential.
    func expire(all: Bool) { issues.expire(all: all) }

    // MARK: Protected requests

    /// Whether a request carries a valid credential.
    func admits(_ request: MockRequest) -> Bool { credential.isValid(in: request) }

    /// Returns the response to a protected request with another value of each field that responses replace. The former values stay
    /// valid, since a client can have sent them meanwhile.
    func updating(_ response: MockResponse) -> MockResponse {
        var response = response
        for update in program.program.updates {
            let value = "\(program.program.slots[update.slot].name)-\(Token.make())"
            switch update.source {
            case .headers(let names):
                guard let name = names.first.flatMap({ HTTPField.Name($0) }) else { continue }
                response.fields[name] = value
            case .cookie(let name): response = response.settingCookie(name, to: value)
            }
            issues.note(value, of: update.slot)
        }
        return response
    }

    /// Sends a challenge to the next protected request, whatever it carries.
    ///
    /// - Returns: Whether the method has such a challenge.
    func demand(_ name: String) -> Bool {
        guard program.challenge(named: name) != nil else { return false }
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
    /// - Parameter name: The name of the challenge; `nil` for one that leads to a login.
    func challenge(named name: String? = nil) -> MockResponse {
        guard let response = program.challenge(named: name) else {
            return .text("There is no credential.\n", status: .unauthorized)
        }
        issues.note(response)
        return response.response
    }
}

extension ProgramValue {
    fileprivate var url: URL? { if case .url(let url) = self { url } else { nil } }
}
