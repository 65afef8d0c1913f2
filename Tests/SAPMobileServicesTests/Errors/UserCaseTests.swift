import Countersign
import CountersignTesting
import Foundation
import SAPMobileServices
import TestTurns
import Testing

/// M36: each error of the lookup of the user who has logged in, as an application receives it.
@Suite(.takesTurns, .timeLimit(.minutes(10))) struct UserCaseTests {
    @Test(arguments: Roles.allCases) func `M36 every case of the role service is reached`(_ expected: Roles) async throws {
        try await expected.expectToBeReached()
    }

    @Test(arguments: Manager.allCases) func `M36 every case of the authentication manager is reached`(
        _ expected: Manager
    ) async throws { try await expected.expectToBeReached() }

    @Test func `a client of an application's own that has neither a user nor an error has no answer`() async throws {
        let ending = try await ErrorBench.run("SAML") { bench in
            let roles = SilentRoles(sapURLSession: bench.session, roleServiceUrl: bench.settings.roleServiceURL)
            return bench.end(await ErrorBench.error { _ = try await roles.load() })
        }
        #expect(ending.error as? SAPcpmsUserRolesError == .invalidServerResponse)
    }

    @Test func `a role service of the application's own may call back more than once, and the first call counts`() async throws {
        let session = SAPURLSession()
        defer { session.invalidateAndCancel() }
        let url = try #require(URL(string: "https://app.example/roles"))
        let error = await #expect(throws: SAPcpmsUserRolesError.self) {
            try await RepeatingRoles(sapURLSession: session, roleServiceUrl: url).load()
        }
        #expect(error == .invalidHTTPStatus(statusCode: 418))
    }

    /// Runs a login with an authentication manager that checks the user.
    private static func login(
        store: any CodableStoring = CredentialCodableStore(MemoryCredentialStore()), before: String? = nil,
        _ prepare: (ErrorBench) -> Void = { _ in }, naming names: String...
    ) async throws -> Ending {
        try await ErrorBench.run("SAML") { bench in
            let manager = SAPcpmsAuthenticationManager(
                roleServiceURL: bench.settings.roleServiceURL, store: store, delegate: nil)
            if let before { try store.put(before, for: manager.currentUserIDKey) }
            let observer = SAMLObserver(settingsParameters: bench.settings)
            observer.authenticationHandler = manager
            bench.session.register(observer)
            prepare(bench)
            var ending = bench.end(try await bench.request(), challengedWith: 200)
            ending.names = names
            return ending
        }
    }

    enum Roles: ReachableCase {
        case invalidServerResponse, invalidHTTPStatus, json, id, userName

        init(of error: SAPcpmsUserRolesError) {
            switch error {
            case .invalidServerResponse: self = .invalidServerResponse
            case .invalidHTTPStatus: self = .invalidHTTPStatus
            case .malformed(let type, _):
                switch type {
                case .json: self = .json
                case .id: self = .id
                case .userName: self = .userName
                }
            }
        }

        func reach() async throws -> Ending {
            switch self {
            case .invalidServerResponse:
                // A status code of two digits, which HTTP does not allow (RFC 9112, section 4).
                try await login { $0.mock.inject(.status(42), matching: .prefix("/mobileservices/application")) }
            case .invalidHTTPStatus:
                try await login(
                    { $0.mock.inject(.status(412), matching: .prefix("/mobileservices/application")) }, naming: "412")
            case .json: try await answered(#"<html>c4n4ry"#)
            case .id: try await answered(#"{"userName":"c4n4ry"}"#)
            case .userName: try await answered(#"{"id":"c4n4ry"}"#)
            }
        }

        private func answered(_ body: String) async throws -> Ending {
            try await login { $0.mock.inject(.body(body), matching: .prefix("/mobileservices/application")) }
        }
    }

    enum Manager: ReachableCase {
        case userSwitch

        init(of error: SAPcpmsAuthenticationManagerError) {
            switch error {
            case .userSwitch: self = .userSwitch
            }
        }

        func reach() async throws -> Ending {
            switch self {
            case .userSwitch: try await login(before: "id-bob")
            }
        }
    }
}

/// An application's own client that returns neither a user nor an error.
private final class SilentRoles: SAPcpmsUserRoles, @unchecked Sendable {
    override func load(completionHandler: @escaping @Sendable (SAPcpmsUserInfo?, (any Error)?) -> Void) {
        completionHandler(nil, nil)
    }
}

/// An application's own client that calls back twice: with an error, and at its end.
private final class RepeatingRoles: SAPcpmsUserRoles, @unchecked Sendable {
    override func load(completionHandler: @escaping @Sendable (SAPcpmsUserInfo?, (any Error)?) -> Void) {
        completionHandler(nil, SAPcpmsUserRolesError.invalidHTTPStatus(statusCode: 418))
        completionHandler(nil, nil)
    }
}
