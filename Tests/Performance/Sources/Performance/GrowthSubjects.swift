import ContainerRegistry
import Countersign
import CountersignFileStore
import Foundation
import HTTPAuthentication
import HTTPTypes
import OAuth

/// The curves that are measured: those of a session, of its cookie jar and stores, and of a landscape.
extension GrowthSubject {
    static let all: [GrowthSubject] =
        [
            GrowthSubject(
                name: "observers", work: "an unchallenged request", sizes: [1, 4, 16, 64, 256, 1_024],
                prepare: requestUnderObservers),
            GrowthSubject(
                name: "methods", work: "a challenged request", sizes: [1, 4, 16, 64, 256, 1_024], prepare: challengeAmongMethods),
        ] + spaces + audiences + cookies + stores + landscapes

    // MARK: Observers

    /// Observers of servers that receive no request.
    private static let requestUnderObservers: @Sendable (Int) async throws -> GrowthWork = { count in
        let session = Session.measured(MemoryTransport())
        let user = User()
        for number in 0..<count {
            session.register(HTTPBasicObserver(parameters: HTTPBasicParameters(servers: [try url("s\(number)")]), prompting: user))
        }
        return GrowthWork {
            try await session.get("/", at: "app.example")
        } end: {
            await session.invalidate(cancelling: true)
        }
    }

    /// Observers of four methods in turn, each for a server of its own. The last one answers the challenge.
    private static let challengeAmongMethods: @Sendable (Int) async throws -> GrowthWork = { count in
        let transport = MemoryTransport(challenge: { _ in #"Basic realm="app""# })
        let session = Session.measured(transport)
        let user = User()
        for number in 0..<count {
            let server = try url("s\(number)")
            switch (count - 1 - number) % 4 {
            case 0: session.register(HTTPBasicObserver(parameters: HTTPBasicParameters(servers: [server]), prompting: user))
            case 1: session.register(HTTPDigestObserver(parameters: HTTPDigestParameters(servers: [server]), prompting: user))
            case 2:
                session.register(
                    ClientCredentialsObserver(
                        parameters: ClientCredentialsParameters(
                            apis: [server], tokenURL: server, clientID: "performance", clientSecret: "secret")))
            default:
                session.register(
                    RegistryTokenObserver(parameters: RegistryTokenParameters(registries: [server], tokenServers: [server])))
            }
        }
        return GrowthWork {
            transport.refuseNext()
            try await session.get("/", at: "s\(count - 1).example")
        } end: {
            await session.invalidate(cancelling: true)
        }
    }

    // MARK: Protection spaces and audiences

    private static let spaceSizes = [1, 4, 16, 64, 256, 1_024, 4_096]

    /// One observer with a credential for each of many protection spaces.
    private static let spaces: [GrowthSubject] = [
        GrowthSubject(name: "protection spaces", work: "a request", sizes: spaceSizes) { count in
            try await work(in: try await servers(count)) { bench, number in
                try await bench.session.get("/", at: "s\(number % count).example")
            }
        },
        GrowthSubject(name: "protection spaces", work: "a challenged request", sizes: spaceSizes) { count in
            try await work(in: try await servers(count)) { bench, number in
                bench.transport.refuseNext()
                try await bench.session.get("/", at: "s\(number % count).example")
            }
        },
        GrowthSubject(name: "protection spaces", work: "the first request to another", sizes: [64, 256, 1_024, 4_096]) { count in
            // Few units, because each adds a protection space to those that are counted.
            try await work(in: try await servers(count), units: 4) { bench, number in
                try await bench.session.get("/", at: "s\(count + number).example")
            }
        },
        GrowthSubject(name: "protection spaces of one server", work: "a request", sizes: spaceSizes) { count in
            let transport = MemoryTransport(challenge: { request in
                let folder = request.path.flatMap { $0.split(separator: "/").first } ?? ""
                return #"Basic realm="\#(folder)""#
            })
            let bench = Bench(transport)
            bench.session.register(HTTPBasicObserver(parameters: HTTPBasicParameters(servers: [try url("app")]), prompting: User()))
            for number in 0..<count { try await bench.session.get("/r\(number)/", at: "app.example") }
            return try await work(in: bench) { bench, number in
                try await bench.session.get("/r\(number % count)/", at: "app.example")
            }
        },
    ]

    /// Tokens of one login for many audiences, which are the repositories of a registry.
    private static let audiences: [GrowthSubject] = [
        GrowthSubject(name: "audiences", work: "a request", sizes: spaceSizes) { count in
            try await work(in: try await repositories(count)) { bench, number in
                try await bench.session.get("/v2/r\(number % count)/manifests", at: "registry.example")
            }
        },
        GrowthSubject(name: "audiences", work: "a challenged request", sizes: spaceSizes) { count in
            try await work(in: try await repositories(count)) { bench, number in
                bench.transport.refuseNext()
                try await bench.session.get("/v2/r\(number % count)/manifests", at: "registry.example")
            }
        },
        GrowthSubject(name: "audiences in a store", work: "a challenged request", sizes: [2, 4, 8, 16, 32, 64]) { count in
            let store = MemoryCredentialStore()
            return try await work(in: try await repositories(count, keptIn: store)) { bench, number in
                bench.transport.refuseNext()
                try await bench.session.get("/v2/r\(number % count)/manifests", at: "registry.example")
            }
        },
    ]

    /// A session with its server.
    private struct Bench: Sendable {
        let transport: MemoryTransport
        let session: Session

        init(_ transport: MemoryTransport, cookies: CookieJar = CookieJar()) {
            self.transport = transport
            session = .measured(transport, cookies: cookies)
        }
    }

    /// Makes work whose units are numbered from 0.
    private static func work(
        in bench: Bench, units: Int? = nil, _ unit: @escaping @Sendable (Bench, Int) async throws -> Void
    ) async throws -> GrowthWork {
        let counter = Counter()
        return GrowthWork(
            units: units, unit: { try await unit(bench, counter.next()) }, end: { await bench.session.invalidate(cancelling: true) }
        )
    }

    /// Makes a session with passwords for the given number of servers, and permission for 1,000 more.
    private static func servers(_ count: Int) async throws -> Bench {
        let bench = Bench(MemoryTransport(challenge: { _ in #"Basic realm="app""# }))
        let servers = try ProtectedOrigins((0..<count + 1_000).map { try url("s\($0)") })
        bench.session.register(HTTPBasicObserver(parameters: HTTPBasicParameters(servers: servers), prompting: User()))
        for number in 0..<count { try await bench.session.get("/", at: "s\(number).example") }
        return bench
    }

    /// Makes a session with tokens for the given number of repositories.
    private static func repositories(_ count: Int, keptIn store: (any CredentialStore)? = nil) async throws -> Bench {
        let tokens = Counter()
        let transport = MemoryTransport(
            challenge: { request in
                let repository = request.path.map { $0.split(separator: "/") }.flatMap { $0.count > 1 ? $0[1] : nil } ?? ""
                return #"Bearer realm="https://registry.example/token",service="registry",scope="repository:\#(repository):pull""#
            },
            answer: { request in
                guard request.path?.hasPrefix("/token") == true else { return nil }
                var head = HTTPResponse(status: .ok)
                head.headerFields[.contentType] = "application/json"
                return (head, Array(#"{"token":"token-\#(tokens.next())","expires_in":3600}"#.utf8))
            })
        let bench = Bench(transport)
        bench.session.register(
            RegistryTokenObserver(
                parameters: RegistryTokenParameters(
                    registries: [try url("registry")], tokenServers: [], user: "alice", password: "wonderland"),
                store: store))
        for number in 0..<count { try await bench.session.get("/v2/r\(number)/manifests", at: "registry.example") }
        return bench
    }

    // MARK: Cookies

    private static let cookieSizes = [1, 4, 16, 64, 256, 1_024, 4_096]

    private static let cookies: [GrowthSubject] = [
        GrowthSubject(name: "cookies of one host", work: "a request", sizes: cookieSizes) { count in
            try await work(in: jar(count, cookie: { ("c=v; Path=/p\($0)/", "app") })) { bench, number in
                try await bench.session.get("/p\(number % count)/", at: "app.example")
            }
        },
        GrowthSubject(name: "cookies of one host", work: "a Set-Cookie", sizes: cookieSizes) { count in
            try await work(in: jar(count, cookie: { ("c=v; Path=/p\($0)/", "app") }) { "c=v\($0); Path=/p\($0 % count)/" }) {
                try await $0.session.get("/elsewhere?\($1)", at: "app.example")
            }
        },
        GrowthSubject(name: "cookies of one host, full", work: "another Set-Cookie", sizes: cookieSizes) { count in
            let limits = CookieJar.Limits(cookiesPerDomain: count, cookies: 1_000_000)
            return try await work(in: jar(count, limits, cookie: { ("c=v; Path=/p\($0)/", "app") }) { "n\($0)=v; Path=/n/" }) {
                try await $0.session.get("/elsewhere?\($1)", at: "app.example")
            }
        },
        GrowthSubject(name: "cookies of many hosts", work: "a request", sizes: cookieSizes) { count in
            try await work(in: jar(count, cookie: { ("c=v; Path=/", "s\($0)") })) { bench, number in
                try await bench.session.get("/", at: "s\(number % count).example")
            }
        },
        GrowthSubject(name: "cookies of many hosts", work: "a Set-Cookie", sizes: cookieSizes) { count in
            try await work(in: jar(count, cookie: { ("c=v; Path=/", "s\($0)") }) { "c=v\($0); Path=/" }) { bench, number in
                try await bench.session.get("/", at: "s\(number % count).example")
            }
        },
        GrowthSubject(name: "cookies of many hosts, full", work: "another Set-Cookie", sizes: cookieSizes) { count in
            let limits = CookieJar.Limits(cookies: count)
            return try await work(in: jar(count, limits, cookie: { ("c=v; Path=/", "s\($0)") }) { "c=v\($0); Path=/" }) {
                try await $0.session.get("/", at: "n\($1).example")
            }
        },
    ]

    /// Makes a session with the given number of cookies.
    ///
    /// - Parameters:
    ///   - limits: The limits of the jar, by default too high to be reached.
    ///   - cookie: Returns the `Set-Cookie` field and the host for the number of a cookie.
    ///   - response: Returns the `Set-Cookie` field of each response; `nil` if responses set no cookie.
    private static func jar(
        _ count: Int, _ limits: CookieJar.Limits = CookieJar.Limits(cookiesPerDomain: 1_000_000, cookies: 1_000_000),
        cookie: (Int) -> (field: String, host: String), response: (@Sendable (Int) -> String)? = nil
    ) throws -> Bench {
        let jar = CookieJar(limits: limits)
        for number in 0..<count {
            let (field, host) = cookie(number)
            jar.store([field], from: try url(host))
        }
        guard jar.all.count >= count - count / 10 else { throw PerformanceError("the jar has \(jar.all.count) cookies") }
        let counter = Counter()
        let transport = MemoryTransport(answer: { _ in
            guard let response else { return nil }
            var head = HTTPResponse(status: .ok)
            head.headerFields[.setCookie] = response(counter.next())
            return (head, [])
        })
        return Bench(transport, cookies: jar)
    }

    // MARK: Stores

    private static let stores: [GrowthSubject] = [
        GrowthSubject(name: "credentials in memory", work: "a read", sizes: spaceSizes) { count in
            let store = MemoryCredentialStore()
            return try await reading(store, count)
        },
        GrowthSubject(name: "credentials in memory", work: "a write", sizes: spaceSizes) { count in
            let store = MemoryCredentialStore()
            return try await writing(store, count)
        },
        GrowthSubject(name: "credentials in files", work: "a read", sizes: [1, 4, 16, 64, 256, 1_024]) { count in
            let folder = temporaryFolder()
            let store = EncryptedFileStore(folder: folder, key: StoreKey.random())
            return try await reading(store, count) { try? FileManager.default.removeItem(at: folder) }
        },
        GrowthSubject(name: "credentials in files", work: "a write", sizes: [1, 4, 16, 64, 256, 1_024]) { count in
            let folder = temporaryFolder()
            let store = EncryptedFileStore(folder: folder, key: StoreKey.random())
            return try await writing(store, count) { try? FileManager.default.removeItem(at: folder) }
        },
    ]

    private static let secret = SecretBytes(utf8: String(repeating: "s", count: 1_000))

    private static func fill(_ store: any CredentialStore, _ count: Int) async throws {
        for number in 0..<count { try await store.write(secret, for: CredentialKey("c\(number)"), replacing: nil) }
    }

    private static func reading(
        _ store: any CredentialStore, _ count: Int, end: @escaping @Sendable () async -> Void = {}
    ) async throws -> GrowthWork {
        try await fill(store, count)
        let counter = Counter()
        return GrowthWork(
            unit: {
                guard try await store.read(CredentialKey("c\(counter.next(of: count))")) != nil else {
                    throw PerformanceError("a credential is missing")
                }
            }, end: end)
    }

    /// Makes work whose unit is a write that replaces the version just read.
    private static func writing(
        _ store: any CredentialStore, _ count: Int, end: @escaping @Sendable () async -> Void = {}
    ) async throws -> GrowthWork {
        try await fill(store, count)
        let counter = Counter()
        return GrowthWork(
            unit: {
                let key = CredentialKey("c\(counter.next(of: count))")
                try await store.write(secret, for: key, replacing: try await store.read(key)?.version)
            }, end: end)
    }

    // MARK: Landscapes

    private static let landscapeSizes = [8, 16, 32, 64, 128, 256, 512, 1_024]

    /// All the work of the build plugin: reading, checks, resolution and code generation.
    private static let landscapes: [GrowthSubject] = [
        GrowthSubject(name: "methods of a landscape", work: "read, checked and generated", sizes: landscapeSizes) { count in
            let folder = temporaryFolder()
            let files = try Landscape.write(count, into: folder.appending(path: "own"))
            return try generation(files, bases: [], in: folder)
        },
        GrowthSubject(name: "inherited methods", work: "read, checked and generated", sizes: landscapeSizes) { count in
            let folder = temporaryFolder()
            let bases = try Landscape.write(count, into: folder.appending(path: "base"))
            let files = try Landscape.writeExtension(into: folder.appending(path: "own"))
            return try generation(files, bases: bases, in: folder)
        },
    ]

    private static func generation(_ files: [String], bases: [String], in folder: URL) throws -> GrowthWork {
        let generator = try Landscape.generator()
        let output = folder.appending(path: "output").path()
        let arguments = ["--output", output] + bases.flatMap { ["--base", $0] } + ["--"] + files
        return GrowthWork(
            units: 1,
            clock: {
                var usage = rusage()
                // The value of RUSAGE_CHILDREN, whose type differs between systems.
                getrusage(-1, &usage)
                // System time is left out: it is spent on writing files, and depends on the state of the disk.
                return Double(usage.ru_utime.tv_sec) + Double(usage.ru_utime.tv_usec) / 1e6
            },
            unit: {
                // The generator does not write a file that is up to date.
                try? FileManager.default.removeItem(atPath: output)
                try Tool.run(generator, arguments)
            },
            end: { try? FileManager.default.removeItem(at: folder) })
    }

    // MARK: Parts

    private static func temporaryFolder() -> URL {
        FileManager.default.temporaryDirectory.appending(path: "countersign-growth-\(UUID().uuidString)")
    }

    private static func url(_ host: String) throws -> URL {
        guard let url = URL(string: "https://\(host).example/") else { throw PerformanceError("'\(host)' is not a valid host") }
        return url
    }
}

/// A user who types a new password each time.
private final class User: HTTPBasicPrompting, HTTPDigestPrompting {
    private let counter = Counter()

    func userAndPassword(for prompt: CredentialPrompt) async throws -> (user: String, password: String)? {
        ("alice", "password-\(counter.next())")
    }
}

/// Specs of methods that are distinguished by the value of a header field.
private enum Landscape {
    /// Returns the path of the generator that the specs of this package were generated with, in the folder of this program.
    static func generator() throws -> String {
        let own = URL(filePath: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
        let paths = ["countersign-generator-tool", "countersign-generator"].map {
            own.deletingLastPathComponent().appending(path: $0).path()
        }
        guard let path = paths.first(where: FileManager.default.isExecutableFile) else {
            throw PerformanceError("there is no generator in the folder of \(own.path())")
        }
        return path
    }

    /// - Returns: The paths of the files.
    static func write(_ count: Int, into folder: URL) throws -> [String] {
        var texts = ["landscape": "countersign: 2\nlandscape: Base\nsummary: Many methods.\n"]
        for number in 0..<count {
            texts["M\(number)"] = """
                countersign: 2
                method: M\(number)
                summary: A login.
                parameters: { server: { type: url, summary: The server. } }
                challenge:
                  - { name: login, status: 401, headers: { X-Login: m\(number) }, capture: { id: { header: X-Id } } }
                credential:
                  fields: { id: { type: secret, from: "{challenge.id}", summary: The identifier. } }
                  for: ["{server}"]
                attach: [{ headers: { X-Id: "{credential.id}" } }]

                """
        }
        return try write(texts, into: folder)
    }

    /// Writes a landscape that extends the one above and adds nothing.
    static func writeExtension(into folder: URL) throws -> [String] {
        try write(["landscape": "countersign: 2\nlandscape: Own\nextends: Base\nsummary: The same.\n"], into: folder)
    }

    private static func write(_ texts: [String: String], into folder: URL) throws -> [String] {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return try texts.map { name, text in
            let file = folder.appending(path: "\(name).yaml")
            try text.write(to: file, atomically: false, encoding: .utf8)
            return file.path()
        }.sorted()
    }
}
