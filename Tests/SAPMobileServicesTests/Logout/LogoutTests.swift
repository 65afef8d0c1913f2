import Countersign
import CountersignTesting
import Foundation
import SAPMobileServices
import Synchronization
import TestTurns
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// S0, Logout: the user is logged out at the server and in the client, and no operation in progress restores the login.
@Suite(.takesTurns, .timeLimit(.minutes(10))) struct `Logout by the generated client` {
    @Test(arguments: LogoutVersion.allCases)
    func `M7 a logout ends the session at the server and here, and the next request logs in`(
        _ version: LogoutVersion
    ) async throws {
        try await SAMLBench.run { bench in
            let (mock, session, settings) = (bench.mock, bench.session, bench.settings)
            try await bench.expectAccess()
            let cookies = session.cookieStorage.cookies
            #expect(!cookies.isEmpty)
            try await session.logout(settingsParameters: settings, version: version)
            #expect(session.cookieStorage.cookies.isEmpty)
            #expect(mock.statistics.logouts == 1)
            let path =
                version == .v1 ? "/mobileservices/sessions/logout" : "/mobileservices/sessions/v2/logout"
            #expect(mock.statistics.sends[path] == 1)
            try await bench.expectAccess()
            #expect(mock.statistics.logins == 2)
        }
    }

    @Test func `M7 the completion handler is called once, without an error`() async throws {
        try await SAMLBench.run { bench in
            let (mock, session, settings) = (bench.mock, bench.session, bench.settings)
            try await bench.expectAccess()
            let error = await withCheckedContinuation { continuation in
                session.logout(settingsParameters: settings) { continuation.resume(returning: $0) }
            }
            #expect(error == nil)
            #expect(session.cookieStorage.cookies.isEmpty)
            #expect(mock.statistics.sends["/mobileservices/sessions/logout"] == 1)
        }
    }

    @Test func `M7 the plain request of the seed's sample ends the session at the server`()
        async throws
    {
        try await SAMLBench.run { bench in
            let (mock, sapURLSession) = (bench.mock, bench.session)
            try await bench.expectAccess()
            let logoutURL = try #require(URL(string: "\(mock.baseURL)/mobileservices/sessions/logout"))
            var logoutRequest = URLRequest(url: logoutURL)
            logoutRequest.httpMethod = SAPURLSession.HTTPMethod.post
            let status: Int? = await withCheckedContinuation { continuation in
                let logoutTask = sapURLSession.dataTask(with: logoutRequest) { data, response, error in
                    continuation.resume(returning: (response as? HTTPURLResponse)?.statusCode)
                }
                logoutTask.taskDescription = "SAPcpms logout request"
                logoutTask.resume()
            }
            #expect(status == 204)
            #expect(mock.statistics.logouts == 1)
        }
    }

    @Test func `M7 a logout without a session is one, and opens no login page`() async throws {
        try await SAMLBench.run { bench in
            let (mock, session, settings) = (bench.mock, bench.session, bench.settings)
            try await session.logout(settingsParameters: settings)
            #expect(mock.statistics.logouts == 0)
            #expect(mock.statistics.loginForms == 0)
        }
    }

    @Test func `M7 a logout without a network ends the local session, and throws`() async throws {
        try await SAMLBench.run { bench in
            let (mock, session, settings) = (bench.mock, bench.session, bench.settings)
            try await bench.expectAccess()
            mock.inject(.connectionReset, matching: .prefix("/mobileservices"), times: .max)
            await #expect(throws: URLError.self) {
                try await session.logout(settingsParameters: settings)
            }
            #expect(session.cookieStorage.cookies.isEmpty)
        }
    }

    @Test(arguments: [MockFault.status(500), .challenge, .redirect(to: "/elsewhere")])
    func `M7 another answer than 204 is an error, no challenge is answered and no redirect followed`(
        _ fault: MockFault
    )
        async throws
    {
        try await SAMLBench.run { bench in
            let (mock, session, settings) = (bench.mock, bench.session, bench.settings)
            try await bench.expectAccess()
            mock.inject(fault, matching: .prefix("/mobileservices"))
            let error = await #expect(throws: CountersignError.self) {
                try await session.logout(settingsParameters: settings)
            }
            #expect(error?.code == .operationRefused)
            #expect(error?.requestMethod == "POST")
            #expect(mock.statistics.logins == 1)
            #expect(mock.statistics.sends["/elsewhere"] == nil)
            #expect(session.cookieStorage.cookies.isEmpty)
        }
    }

    @Test
    func `M7 a request that is under way at the logout is neither resent nor keeps its cookies`()
        async throws
    {
        try await SAMLBench.run { bench in
            let (mock, session, settings) = (bench.mock, bench.session, bench.settings)
            try await bench.expectAccess()
            mock.endAllSessions()
            // The request is challenged when the gate opens, so its login would begin after the logout.
            let gate = mock.hold("/late", until: .max, limit: .seconds(60))
            let late = Task { try await session.data(from: mock.baseURL.appending(path: "late")) }
            while gate.arrived == 0 { await Task.yield() }
            try await session.logout(settingsParameters: settings)
            gate.open()
            let error = await #expect(throws: CountersignError.self) { try await late.value }
            #expect(error?.code == .sessionEnded)
            #expect(session.cookieStorage.cookies.isEmpty)
            #expect(mock.statistics.logins == 1)
        }
    }
}
