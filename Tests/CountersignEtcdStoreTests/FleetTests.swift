import Countersign
import CountersignAsyncHTTPClient
import CountersignEtcdStore
import CountersignFileStore
import CountersignTesting
import Foundation
import HTTPTypes
import OAuth
import Synchronization
import TestTurns
import Testing

/// Processes that share a login through a cluster of etcd and nothing else, with a server that rotates refresh tokens.
///
/// With `COUNTERSIGN_FLEET_SECONDS` the tests run for that time, with a thousand requests of each process at once, and those with
/// failures run, too. That is a separate step of the gate (`.ci/fleet`).
@Suite(
    .takesAllTurns, .timeLimit(.minutes(20)),
    .enabled(if: RunningEtcd.isInstalled, "there is no etcd here; install it, such as the packages etcd-server and etcd-client"))
struct FleetTests {
    private static let seconds = ProcessInfo.processInfo.environment["COUNTERSIGN_FLEET_SECONDS"].flatMap { Int($0) }
    private static let duration = Duration.seconds(seconds ?? 2)
    private static let isLong = seconds != nil

    /// A server, and a cluster that stores a login at the server.
    private struct Fleet {
        let server: MockAuthorizationServer
        let etcd: RunningEtcd
        var authority: MockCertificateAuthority?
        let prefix = "/countersign/OAuth/fleet/"
        let key = [UInt8](repeating: 7, count: StoreKey.byteCount)
        var lockLifetime = 15

        func start(by endpoints: [URL] = [], _ options: [String] = [], wrapper: [String] = []) async throws -> Member {
            let endpoints = endpoints.isEmpty ? [etcd.endpoint] : endpoints
            let process = try OtherProcess(
                "FleetMember",
                [
                    endpoints.map(\.absoluteString).joined(separator: ","), prefix,
                    key.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(),
                    server.baseURL.absoluteString, "\(lockLifetime)",
                ] + options + (authority == nil ? [] : ["trust=\(etcd.authorityFile.path)"]), wrapper: wrapper)
            let line = try await process.line()
            try #require(line == "ready", "\(line)")
            return Member(process: process)
        }

        func start(_ count: Int) async throws -> [Member] {
            var members: [Member] = []
            for _ in 0..<count { members.append(try await start()) }
            return members
        }

        /// Logs a user in on one machine.
        func logIn() async throws {
            let store = try etcd.store(
                EtcdConfiguration(endpoints: [etcd.endpoint], prefix: prefix), key: key[0], trusting: authority)
            var configuration = SessionConfiguration()
            configuration.presenter = FormFillingPresenter(values: ["j_username": "alice", "j_password": "wonderland"])
            let session = Session(configuration: configuration, transport: AsyncHTTPClientTransport())
            let base = server.baseURL
            session.register(
                AuthorizationCodeObserver(
                    parameters: AuthorizationCodeParameters(
                        apis: [base], authorizationURL: server.authorizationEndpoint, tokenURL: server.tokenEndpoint,
                        clientID: "app",
                        redirectURL: try #require(URL(string: "http://127.0.0.1/callback"))),
                    store: store))
            let response = try await session.send(SessionRequest(.init(method: .get, url: base.appending(path: "data"))))
            #expect(response.head.status == .ok)
            await session.invalidate(cancelling: true)
            server.resetStatistics()
        }
    }

    /// A process of one machine.
    private struct Member {
        let process: OtherProcess

        /// Makes the process send requests at once.
        ///
        /// - Returns: Their outcome; `nil` if the process has ended.
        func send(_ count: Int) async throws -> Outcome? {
            try await process.tell("\(count)")
            var outcome = Outcome()
            while true {
                let line = try await process.line()
                guard !line.isEmpty else { return nil }
                if line == "done" { return outcome }
                let words = line.split(separator: " ", maxSplits: 1)
                if words.first == "took" { continue }
                if let number = words.first.flatMap({ Int($0) }), words.count == 2 {
                    outcome.requests[String(words[1]), default: 0] += number
                } else {
                    outcome.events.append(line)
                }
            }
        }
    }

    private struct Outcome {
        var requests: [String: Int] = [:]
        var events: [String] = []
    }

    private func run(
        leeway: Duration = .zero, tokenLifetime: Duration = .seconds(3_600), lockLifetime: Int = 15,
        _ body: (Fleet) async throws -> Void
    ) async throws {
        var options = MockOAuth2Options()
        options.reuseLeeway = leeway
        options.accessTokenLifetime = tokenLifetime
        try await MockAuthorizationServer.run(options: options) { server in
            try await RunningEtcd.run { etcd in
                let fleet = Fleet(server: server, etcd: etcd, lockLifetime: lockLifetime)
                try await fleet.logIn()
                try await body(fleet)
            }
        }
    }

    /// Runs a test with three members of the cluster, each on a machine of its own.
    private func runThree(
        lockLifetime: Int = 15, _ body: (Fleet, [RunningEtcd], TestNetwork) async throws -> Void
    ) async throws {
        let authority = try MockCertificateAuthority()
        try await MockAuthorizationServer.run { server in
            try await TestNetwork.run(3) { network in
                try await RunningEtcd.runThree(.init(authority: authority), on: network.machines) { members in
                    let fleet = Fleet(server: server, etcd: members[0], authority: authority, lockLifetime: lockLifetime)
                    try await fleet.logIn()
                    try await body(fleet, members, network)
                }
            }
        }
    }

    private func send(_ count: Int, from members: [Member]) async throws -> [Outcome] {
        try await withThrowingTaskGroup(of: Outcome?.self) { group in
            for member in members { group.addTask { try await member.send(count) } }
            return try await group.reduce(into: []) {
                let outcome = $1
                $0.append(try #require(outcome))
            }
        }
    }

    @Test func `N14 eight processes with many requests each renew once for each expiry, and use no refresh token twice`()
        async throws
    {
        try await run { fleet in
            let members = try await fleet.start(8)
            // A process that has not read the store yet could find the renewed token, and would take nothing over.
            _ = try await send(1, from: members)
            let count = Self.isLong ? 1_000 : 100
            let start = ContinuousClock.now
            var rounds = 0
            var adopted = 0
            repeat {
                fleet.server.expireAccessTokens()
                for outcome in try await send(count, from: members) {
                    #expect(outcome.requests == ["answered": count])
                    adopted += outcome.events.count { $0 == "adopted" }
                }
                rounds += 1
            } while start.duration(to: .now) < Self.duration
            let statistics = fleet.server.statistics
            #expect(statistics.refreshes == rounds)
            #expect(statistics.refreshTokenReuses == 0)
            #expect(statistics.tokenRequests == [.refreshToken: rounds])
            #expect(adopted >= 7 * rounds)
            print(
                "a fleet of 8: \(rounds) expiries with \(8 * count) requests each, \(statistics.refreshes) renewals, \(adopted) takeovers"
            )
            for member in members { #expect(try await member.process.end() == []) }
        }
    }

    @Test(arguments: [1, 2, 4, 8]) func `how much an expiry costs the cluster`(count: Int) async throws {
        try await run { fleet in
            let members = try await fleet.start(count)
            // Every process has read the store, and has a connection.
            _ = try await send(1, from: members)
            let before = try await fleet.etcd.requests()
            var times: [Duration] = []
            for _ in 0..<5 {
                fleet.server.expireAccessTokens()
                let start = ContinuousClock.now
                for outcome in try await send(1, from: members) { #expect(outcome.requests == ["answered": 1]) }
                times.append(start.duration(to: .now))
            }
            let requests = try await fleet.etcd.requests() - before
            #expect(fleet.server.statistics.refreshes == 5)
            print(
                "processes \(count): \(requests / 5) requests to the cluster for an expiry, the last answer after \(times.sorted()[2])"
            )
            // At most, one process reads, locks, reads, renews and writes, and each other reads, waits in the queue and watches.
            #expect(requests / 5 <= 8 + 15 * (count - 1))
        }
    }

    @Test func `N14 a lease that ends in the middle of a renewal costs no session, and undoes nothing`() async throws {
        // Longer than a busy machine stops a process that renews.
        try await run(leeway: .seconds(120), lockLifetime: 6) { fleet in
            let holder = try await fleet.start()
            let other = try await fleet.start()
            #expect(try await send(1, from: [holder, other]).allSatisfy { $0.requests == ["answered": 1] })
            fleet.server.expireAccessTokens()
            // The server has received the refresh token, and answers after the process that sent it has been stopped.
            let gate = fleet.server.hold(.path("/oauth2/api/v1/token"), until: 2, limit: .seconds(60))
            async let held = holder.send(1)
            while gate.arrived == 0 { try await Task.sleep(for: .milliseconds(5)) }
            holder.process.signal(SIGSTOP)
            // The lock is free when its lease has expired.
            #expect(try await other.send(5)?.requests == ["answered": 5])
            #expect(fleet.server.statistics.refreshes == 2)
            holder.process.signal(SIGCONT)
            let outcome = try await held
            #expect(outcome?.requests == ["answered": 1])
            // The token that it received does not replace the one that the other process has stored.
            #expect(outcome?.events.contains("superseded") == true, "\(String(describing: outcome))")
            fleet.server.expireAccessTokens()
            #expect(try await send(5, from: [holder, other]).allSatisfy { $0.requests == ["answered": 5] })
            #expect(fleet.server.statistics.refreshes == 3)
            #expect(fleet.server.statistics.refreshTokenReuses == 0)
        }
    }

    @Test func `N14 where the application says so, a process that the cluster is out of reach for renews by itself`() async throws {
        try await run(leeway: .seconds(120), lockLifetime: 2) { fleet in
            let relay = try await Relay.run(to: try #require(fleet.etcd.endpoint.port))
            let alone = try await fleet.start(by: [relay.url], ["alone"])
            #expect(try await alone.send(1)?.requests == ["answered": 1])
            relay.isCut = true
            fleet.server.expireAccessTokens()
            let outcome = try await alone.send(5)
            #expect(outcome?.requests == ["answered": 5])
            #expect(outcome?.events.contains("not stored") == true)
            #expect(fleet.server.statistics.refreshes == 1)
            await relay.stop()
        }
    }

    @Test(.enabled(if: isLong, "a fleet for a minute is a step of its own"))
    func `N14 killed holders, a cluster that begins anew and processes that hang cost no session`() async throws {
        // A server that accepts the refresh token of a lost response once more (RFC 9700, section 4.14.2). Otherwise the state of
        // the token that a killed process has sent would be unknown.
        try await run(leeway: .seconds(120), lockLifetime: 2) { fleet in
            let survivors = try await fleet.start(3)
            var random = SystemRandomNumberGenerator()
            let start = ContinuousClock.now
            var round = 0
            repeat {
                let victim = try await fleet.start()
                fleet.server.expireAccessTokens()
                async let outcomes = send(50, from: survivors)
                async let lost = try? victim.send(50)
                try await Task.sleep(for: .milliseconds(Int.random(in: 0..<120, using: &random)))
                switch round % 3 {
                case 0: try await victim.process.kill()
                case 1:
                    // Longer than the lifetime of its lock.
                    victim.process.signal(SIGSTOP)
                    try await Task.sleep(for: .seconds(4))
                    victim.process.signal(SIGCONT)
                default:
                    fleet.etcd.stop()
                    try await Task.sleep(for: .milliseconds(300))
                    try await fleet.etcd.start()
                }
                for outcome in try await outcomes {
                    #expect(outcome.requests == ["answered": 50], "round \(round): \(outcome)")
                    #expect(!outcome.events.contains("expired"))
                }
                let last = await lost
                if round % 3 != 0 { #expect(last?.requests == ["answered": 50], "round \(round): \(String(describing: last))") }
                try await victim.process.kill()
                round += 1
            } while start.duration(to: .now) < Self.duration || round < 3
            #expect(fleet.server.statistics.refreshTokenReuses == 0)
            #expect(fleet.server.statistics.tokenRequests.keys.allSatisfy { $0 == .refreshToken })
            print("a fleet of 4 in \(round) rounds of failures: \(fleet.server.statistics.refreshes) renewals, no session lost")
        }
    }

    @Test func `N14 a process that the cluster is out of reach for uses what is good, and renews nothing by itself`() async throws {
        try await run { fleet in
            let relay = try await Relay.run(to: try #require(fleet.etcd.endpoint.port))
            let isolated = try await fleet.start(by: [relay.url])
            let others = try await fleet.start(2)
            #expect(try await send(10, from: [isolated] + others).allSatisfy { $0.requests == ["answered": 10] })
            relay.isCut = true
            // A valid token is used.
            #expect(try await isolated.send(10)?.requests == ["answered": 10])
            fleet.server.expireAccessTokens()
            #expect(try await send(10, from: others).allSatisfy { $0.requests == ["answered": 10] })
            // The process does not renew with the refresh token that the others have used.
            #expect(try await isolated.send(10)?.requests == ["store: unavailable": 10])
            #expect(fleet.server.statistics.refreshes == 1)
            #expect(fleet.server.statistics.refreshTokenReuses == 0)
            relay.isCut = false
            #expect(try await isolated.send(10)?.requests == ["answered": 10])
            #expect(fleet.server.statistics.refreshes == 1)
            await relay.stop()
        }
    }

    @Test
    func `N14 a cluster that fails between the server's answer and the writing has the answer before the next process renews`()
        async throws
    {
        // The outage is longer than the lifetime of the lock, and the server accepts no refresh token twice. A cluster that restarts
        // extends the lock by its lifetime, in which the holder has to write, also on a busy machine.
        try await run(lockLifetime: 6) { fleet in
            let holder = try await fleet.start(by: [], ["patience=5"])
            let other = try await fleet.start(by: [], ["patience=5"])
            #expect(try await send(1, from: [holder, other]).allSatisfy { $0.requests == ["answered": 1] })
            fleet.server.expireAccessTokens()
            let gate = fleet.server.hold(.path("/oauth2/api/v1/token"), until: 2, limit: .seconds(60))
            async let held = holder.send(5)
            while gate.arrived == 0 { try await Task.sleep(for: .milliseconds(5)) }
            fleet.etcd.stop()
            gate.open()
            // The requests of the process do not wait for the cluster.
            let outcome = try await held
            #expect(outcome?.requests == ["answered": 5])
            #expect(outcome?.events == ["not stored"])
            #expect(try await other.send(5)?.requests == ["store: unavailable": 5])
            try await Task.sleep(for: .seconds(7))
            try await fleet.etcd.start()
            #expect(try await eventually { try await other.send(5)?.requests == ["answered": 5] })
            #expect(fleet.server.statistics.refreshes == 1)
            #expect(fleet.server.statistics.refreshTokenReuses == 0)
            fleet.server.expireAccessTokens()
            #expect(try await send(5, from: [holder, other]).allSatisfy { $0.requests == ["answered": 5] })
            #expect(fleet.server.statistics.refreshes == 2)
            #expect(fleet.server.statistics.refreshTokenReuses == 0)
        }
    }

    /// Whether a condition becomes true within the time that a cluster needs to restart.
    private func eventually(_ isTrue: () async throws -> Bool) async throws -> Bool {
        for _ in 0..<300 {
            if try await isTrue() { return true }
            try await Task.sleep(for: .milliseconds(200))
        }
        return false
    }

    @Test(
        .enabled(if: isLong && TestNetwork.isPossible, "a fleet for a minute is a step of its own, with network namespaces"))
    func `N14 a network that is parted costs no session`() async throws {
        try await runThree(lockLifetime: 30) { fleet, _, network in
            func endpoints(_ side: Int) throws -> [URL] {
                try network.machines.map { try #require(URL(string: "https://\($0.addresses[side]):2379")) }
            }
            let others = [try await fleet.start(by: endpoints(0)), try await fleet.start(by: endpoints(0))]
            let isolated = try await fleet.start(by: endpoints(1), ["patience=2"])
            #expect(try await send(10, from: [isolated] + others).allSatisfy { $0.requests == ["answered": 10] })

            // Cuts off one process, which has nothing to renew.
            try await network.set(side: 1, isUp: false)
            #expect(try await isolated.send(10)?.requests == ["answered": 10])
            fleet.server.expireAccessTokens()
            #expect(try await send(10, from: others).allSatisfy { $0.requests == ["answered": 10] })
            #expect(try await isolated.send(10)?.requests == ["store: unavailable": 10])
            try await network.set(side: 1, isUp: true)
            #expect(try await eventually { try await isolated.send(10)?.requests == ["answered": 10] })
            #expect(fleet.server.statistics.refreshes == 1)

            // Cuts off the process with the lock while the server renews.
            fleet.server.expireAccessTokens()
            let gate = fleet.server.hold(.path("/oauth2/api/v1/token"), until: 2, limit: .seconds(60))
            async let held = isolated.send(10)
            while gate.arrived == 0 { try await Task.sleep(for: .milliseconds(5)) }
            try await network.set(side: 1, isUp: false)
            gate.open()
            async let waiting = send(10, from: others)
            #expect(try await held?.requests == ["answered": 10])
            try await Task.sleep(for: .seconds(3))
            #expect(fleet.server.statistics.refreshes == 2)
            try await network.set(side: 1, isUp: true)
            #expect(try await waiting.allSatisfy { $0.requests == ["answered": 10] })
            #expect(fleet.server.statistics.refreshes == 2)

            // Cuts off each member of the cluster from the others, while its clients still reach it.
            for machine in network.machines.indices {
                try await network.set(machine: machine, isUp: false)
                fleet.server.expireAccessTokens()
                // The process with the short time limit is left out, because another member may have to be elected first.
                for outcome in try await send(10, from: others) {
                    #expect(outcome.requests == ["answered": 10], "machine \(machine): \(outcome)")
                }
                #expect(fleet.server.statistics.refreshes == 3 + machine)
                try await network.set(machine: machine, isUp: true)
            }
            #expect(fleet.server.statistics.refreshTokenReuses == 0)
            print(
                "a fleet of 3 and a cluster of 3 in a network that was parted 5 times: \(fleet.server.statistics.refreshes) renewals"
            )
        }
    }

    @Test(
        .enabled(if: isLong && ForeignProgram.isInstalled("faketime"), "a fleet for a minute is a step of its own, with faketime"))
    func `N14 clocks that differ by minutes renew early or late, and use no refresh token twice`() async throws {
        try await run(tokenLifetime: .seconds(600)) { fleet in
            func clock(_ shift: String) -> [String] { ["env", "DONT_FAKE_MONOTONIC=1", "faketime", "-f", shift] }
            let members = [
                try await fleet.start(), try await fleet.start(wrapper: clock("+15m")),
                try await fleet.start(wrapper: clock("-15m")),
            ]
            let rounds = 3
            for _ in 0..<rounds {
                fleet.server.expireAccessTokens()
                #expect(try await send(10, from: members).allSatisfy { $0.requests == ["answered": 10] })
            }
            let statistics = fleet.server.statistics
            // For the process whose clock is ahead, each token that others have obtained has expired already.
            #expect((rounds...2 * rounds).contains(statistics.refreshes))
            #expect(statistics.refreshTokenReuses == 0)
        }
    }
}
