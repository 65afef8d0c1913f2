import Countersign
import CountersignTesting
import Foundation
import TestTurns
import Testing

@testable import CountersignFileStore

/// Processes that share a login through an encrypted file, with a server that rotates refresh tokens and accepts none twice.
@Suite(.takesTurns, .timeLimit(.minutes(10))) struct SharedTokenTests {
    private let scratch: ScratchFolder
    private let tokens: CredentialTokenStore

    init() throws {
        scratch = try ScratchFolder()
        tokens = CredentialTokenStore(scratch.open())
    }

    /// Runs a test with a server, and a token of it in the store that has expired by the wall clock.
    private func withServer(
        change: (inout MockOAuth2Options) -> Void = { _ in }, _ body: (MockAuthorizationServer) async throws -> Void
    ) async throws {
        var options = MockOAuth2Options()
        change(&options)
        try await MockAuthorizationServer.run(options: options) { server in
            let token = try await TokenLogin.token(at: server)
            try tokens.store(
                token: OAuth2Token(
                    accessToken: token.accessToken, tokenType: token.tokenType, expiryDate: Date(timeIntervalSinceNow: -1),
                    scopes: token.scopes, refreshToken: token.refreshToken),
                for: server.baseURL)
            server.expireAccessTokens()
            server.resetStatistics()
            try await body(server)
        }
    }

    private func start(
        _ command: String = "use-tokens", at server: MockAuthorizationServer, wrapper: [String] = []
    ) async throws -> OtherProcess {
        let process = try OtherProcess(command, server.baseURL.absoluteString, in: scratch, wrapper: wrapper)
        try #require(try await process.line() == "ready")
        return process
    }

    /// Makes a process send requests, and returns their outcomes.
    @discardableResult
    private func send(_ count: Int, from process: OtherProcess) async throws -> [String] {
        try await process.tell("\(count)")
        var lines: [String] = []
        while true {
            let line = try await process.line()
            // The end of its output is an empty line.
            guard line != "done", !line.isEmpty else { return lines }
            lines.append(line)
        }
    }

    /// Makes several processes send requests at once.
    private func send(_ count: Int, from processes: [OtherProcess]) async throws -> [[String]] {
        try await withThrowingTaskGroup(of: [String].self) { group in
            for process in processes { group.addTask { try await send(count, from: process) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test(arguments: [2, 4]) func `RT-17 processes with an expired token renew it once, and all requests are answered`(
        count: Int
    ) async throws {
        try await withServer { server in
            // Holds the first renewal for a second, in which every other process would have time to start one.
            let gate = server.hold(.path("/oauth2/api/v1/token"), until: 2, limit: .seconds(1))
            var processes: [OtherProcess] = []
            for _ in 0..<count { processes.append(try await start(at: server)) }
            let outcomes = try await send(50, from: processes)
            #expect(outcomes == Array(repeating: ["50 answered"], count: count))
            #expect(gate.arrived == 1 && gate.hasTimedOut)
            let statistics = server.statistics
            #expect(statistics.tokenRequests == [.refreshToken: 1])
            #expect(statistics.refreshes == 1)
            #expect(statistics.refreshTokenReuses == 0)
            #expect(statistics.resources == 50 * count)
            #expect(statistics.challenges == 0)
            for process in processes { #expect(try await process.end() == []) }
        }
    }

    @Test func `RT-17 processes under load survive one rejected token after the other with one renewal each`() async throws {
        let rounds = 12
        try await withServer { server in
            let processes = [try await start(at: server), try await start(at: server), try await start(at: server)]
            for _ in 0..<rounds {
                // The processes assume that the token is valid, and are challenged.
                server.expireAccessTokens()
                #expect(try await send(40, from: processes) == Array(repeating: ["40 answered"], count: 3))
            }
            let statistics = server.statistics
            #expect(statistics.tokenRequests == [.refreshToken: rounds])
            #expect(statistics.refreshes == rounds)
            #expect(statistics.refreshTokenReuses == 0)
            #expect(statistics.resources == rounds * 40 * 3)
            for process in processes { #expect(try await process.end() == []) }
        }
    }

    @Test func `RT-17 a process that is killed while it holds the lock costs neither the lock nor the session`() async throws {
        try await withServer { server in
            let holder = try await start("use-tokens-hang-before-renewing", at: server)
            try await holder.tell("1")
            #expect(try await holder.line() == "before renewing")
            // The process holds the lock.
            let impatient = CredentialTokenStore(scratch.open(), lockTimeout: .zero)
            let error = await #expect(throws: CredentialStoreError.self) {
                try await impatient.withExclusiveAccess(for: server.baseURL) {}
            }
            #expect(error?.code == .lockTimedOut)
            let other = try await start(at: server)
            async let outcomes = send(20, from: other)
            try await holder.kill()
            #expect(try await outcomes == ["20 answered"])
            #expect(server.statistics.refreshes == 1)
            #expect(server.statistics.refreshTokenReuses == 0)
            try await impatient.withExclusiveAccess(for: server.baseURL) {}
        }
    }

    @Test func `RT-18 a process that is killed between answer and store: the old refresh token is tried once, then a login`()
        async throws
    {
        try await withServer { server in
            try await kill(before: "storing", at: server)
            #expect(server.statistics.refreshes == 1)
            let other = try await start(at: server)
            #expect(try await send(1, from: other) == ["expired", "1 terminal"])
            #expect(server.statistics.tokenRequests == [.refreshToken: 2])
            #expect(try tokens.token(for: server.baseURL) == nil)
            // There is no loop: the next step is a login, for which this process has no presenter.
            #expect(try await send(5, from: other) == ["5 login"])
            #expect(try await send(1, from: try await start(at: server)) == ["1 login"])
            #expect(server.statistics.tokenRequests == [.refreshToken: 2])
        }
    }

    @Test func `RT-18 and RFC 9700 4.14.2: where the server takes a lost answer's refresh token again, no session is lost`()
        async throws
    {
        try await withServer(change: { $0.reuseLeeway = .seconds(60) }) { server in
            try await kill(before: "storing", at: server)
            let processes = [try await start(at: server), try await start(at: server)]
            #expect(try await send(20, from: processes) == [["20 answered"], ["20 answered"]])
            #expect(server.statistics.refreshes == 2)
            #expect(server.statistics.refreshTokenReuses == 0)
        }
    }

    /// Kills a process in the middle of a renewal.
    private func kill(before place: String, at server: MockAuthorizationServer) async throws {
        let process = try await start("use-tokens-hang-before-\(place)", at: server)
        try await process.tell("1")
        #expect(try await process.line() == "before \(place)")
        try await process.kill()
    }

    @Test func `RT-18 processes that are killed under load leave a session that goes on`() async throws {
        try await withServer(change: { $0.reuseLeeway = .seconds(60) }) { server in
            let survivor = try await start(at: server)
            for round in 0..<6 {
                let victim = try await start(at: server)
                server.expireAccessTokens()
                async let outcomes = send(30, from: survivor)
                try await victim.tell("30")
                // Reads instead of a pause, so that each round kills the process at another point.
                for _ in 0..<(round * 4) { _ = try tokens.token(for: server.baseURL) }
                try await victim.kill()
                #expect(try await outcomes == ["30 answered"])
            }
            #expect(server.statistics.refreshTokenReuses == 0)
            #expect(try await send(10, from: try await start(at: server)) == ["10 answered"])
        }
    }

    @Test(.enabled(if: FullDiskTests.canMount, "needs the right to mount a file system"))
    func `RT-19 on a full disk the new token is used, and it is said that it was not stored`() async throws {
        try await withServer { server in
            // An earlier renewal has made the lock's file, as on any disk that was not always full.
            try await tokens.withExclusiveAccess(for: server.baseURL) {}
            let folder = String(scratch.store.path(percentEncoded: false).dropLast())
            let full = """
                cp -a '\(folder)' '\(folder).copy'; mount -t tmpfs -o size=32k,mode=700 tmpfs '\(folder)'
                cp -a '\(folder).copy/.' '\(folder)/'; dd if=/dev/zero of='\(folder)/filler' bs=1k 2>/dev/null || true
                """
            let process = try await start(at: server, wrapper: OtherProcess.mounting(full))
            #expect(try await send(20, from: process) == ["not stored", "20 answered"])
            #expect(try await send(20, from: process) == ["20 answered"])
            #expect(server.statistics.tokenRequests == [.refreshToken: 1])
            #expect(try await process.end() == [])
        }
    }

    @Test func `what is damaged in the store is no token: it takes a login, and nothing is overwritten until that succeeds`()
        async throws
    {
        try await withServer { server in
            let file = try #require(try scratch.names.first { $0.hasSuffix(".credential") })
            try scratch.put([1, 2, 3], at: scratch.path(file))
            let process = try await start(at: server)
            #expect(try await send(3, from: process) == ["3 login"])
            #expect(server.statistics.tokenRequests.isEmpty)
            #expect(try scratch.bytes(scratch.path(file)) == [1, 2, 3])
        }
    }
}
