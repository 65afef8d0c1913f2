import Countersign
import Foundation
import HTTPTypes

/// The header field by which tests identify their requests.
private let requestIDName = HTTPField.Name("X-Request-ID")

/// Answers every request: applies faults and gates, selects the server by host, and finds the page or resource of the path.
struct MockSite: Sendable {
    let servers: MethodServers
    let rules: ServerRules
    let faults: FaultPlan
    let gates: MockGates
    let recorder: MockRecorder
    /// The additional servers, which belong to no method.
    let services: [any MockService]
    let sessions = TokenSessions()
    private let serviceProvider: String
    private let identityProvider: String

    init(
        servers: MethodServers, hosts: MockHosts, rules: ServerRules, faults: FaultPlan, gates: MockGates,
        recorder: MockRecorder, services: [any MockService]
    ) {
        self.services = services
        self.servers = servers
        self.rules = rules
        self.faults = faults
        self.gates = gates
        self.recorder = recorder
        serviceProvider = MockHosts.authority(hosts.serviceProvider)
        identityProvider = MockHosts.authority(hosts.identityProvider)
    }

    /// The servers of the methods, in the order of the description.
    var methods: [any MethodServer] { servers.all }

    func respond(to request: MockRequest) async -> MockResponse {
        count(request)
        return await FaultySite(faults: faults, gates: gates).respond(
            to: request, endingSession: { for method in methods { _ = method.endSession(of: request) } },
            challenge: { challenge(for: request) }, answer: answer)
    }

    private func count(_ request: MockRequest) {
        let isAtIdentityProvider = request.authority == identityProvider
        var foreign = methods.reduce(into: Set<String>()) { names, method in
            names.formUnion(isAtIdentityProvider ? method.serviceProviderCookies : method.identityProviderCookies)
        }
        if !isAtIdentityProvider { for service in services { foreign.formUnion(service.identityProviderCookies) } }
        let strays = request.cookies.count { foreign.contains($0.name) }
        recorder.count { statistics in
            statistics.sends[request.path, default: 0] += 1
            if let id = requestIDName.flatMap({ request.fields[$0] }) { statistics.sendsByRequestID[id, default: 0] += 1 }
            statistics.strayCookies += strays
        }
    }

    private func answer(_ request: MockRequest) async -> MockResponse {
        switch request.authority {
        case identityProvider:
            for method in methods { if let answer = method.identityProviderPage(for: request) { return answer } }
            for service in services { if let answer = service.identityProviderPage(for: request) { return answer } }
            return .text("no such page\n", status: .notFound)
        case serviceProvider:
            for method in methods { if let answer = await method.serviceProviderPage(for: request) { return answer } }
            for service in services { if let answer = service.serviceProviderPage(for: request) { return answer } }
            return logout(request) ?? resource(request)
        default: return .text("no such host\n", status: .misdirectedRequest)
        }
    }

    /// Ends the session of the request. The response does not disclose whether there was one; `nil` if the path is not a logout
    /// path.
    private func logout(_ request: MockRequest) -> MockResponse? {
        guard rules.logoutPaths.contains(request.path) else { return nil }
        guard request.method == .post || request.method == .delete else { return .notAllowed(allow: "POST, DELETE") }
        var response = MockResponse(status: .noContent)
        // A request without a session receives the same response.
        var users = Set(methods.compactMap { $0.user(of: request) })
        if let user = sessions.end(of: request) {
            users.insert(user)
            recorder.count { $0.logouts += 1 }
            response = response.clearingCookie(TokenSessions.cookie)
        }
        for method in methods where method.endSession(of: request) {
            recorder.count { $0.logouts += 1 }
            for cookie in method.serviceProviderCookies { response = response.clearingCookie(cookie) }
        }
        guard rules.revokingLogoutPaths.contains(request.path) else { return response }
        for user in users { for method in methods { method.revokeRefreshTokens(of: user) } }
        return response
    }

    private func resource(_ request: MockRequest) -> MockResponse {
        guard let method = servers.guardian(of: request) else { return .text("no authentication method\n", status: .forbidden) }
        let user: String
        switch method.admit(request) {
        case .user(let name):
            user = name
            for case let server as PasscodeServer in methods {
                guard let demand = server.demand(of: user, for: request) else { continue }
                recorder.count { $0.challenges += 1 }
                return demand
            }
        case .challenged(let response):
            method.noteRefusal(of: request)
            recorder.count { $0.challenges += 1 }
            return response
        case .refused(let response): return response
        }
        recorder.count { $0.resources += 1 }
        let text = request.bodyLength > 0 && request.bodyLength <= 4096 ? String(validating: request.body, as: UTF8.self) : nil
        let resource = MockResource(
            user: user, method: request.method.rawValue, path: request.path, bodyLength: request.bodyLength, body: text)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let body = try? encoder.encode(resource) else { return .text("cannot encode JSON\n", status: .internalServerError) }
        let response = MockResponse(
            status: .ok, fields: [.contentType: "application/json", .cacheControl: "no-store"], body: Array(body))
        // A request with a token also opens a session, so that a logout has a session to end. It gives no access: each request
        // needs a token.
        guard !method.usesCookies, !rules.logoutPaths.isEmpty, let session = sessions.begin(for: user, of: request) else {
            return response
        }
        return response.settingCookie(TokenSessions.cookie, to: session)
    }

    private func challenge(for request: MockRequest) -> MockResponse {
        guard let method = servers.guardian(of: request) else { return .text("no authentication method\n", status: .forbidden) }
        recorder.count { $0.challenges += 1 }
        return method.challenge()
    }
}
