import Countersign
import CountersignTesting
import Foundation
import SAPMobileServices
import SAPMobileServicesTesting
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A session at a mock landscape that demands client certificates.
struct IdentityBench: Sendable {
    let mock: MockLandscape
    let authority: MockCertificateAuthority
    let session: SAPURLSession
    let events: OAuth2Events

    static func run(
        _ demand: MockCertificateOptions.Demand = .handshake, isLimitedToTLS12: Bool = false,
        _ body: (IdentityBench) async throws -> Void
    ) async throws {
        let authority = try MockCertificateAuthority()
        var options = MockOptions()
        options.protection = "UserIdentity"
        options.certificates = MockCertificateOptions(authority: authority, demand: demand, isLimitedToTLS12: isLimitedToTLS12)
        try await MockLandscape.run(.sapMobileServices, rules: .sapMobileServices, options: options) { mock in
            let events = OAuth2Events()
            let session = try Self.session(trusting: authority, events: events)
            try await body(IdentityBench(mock: mock, authority: authority, session: session, events: events))
            await session.session.invalidate(cancelling: true)
        }
    }

    static func session(trusting authority: MockCertificateAuthority, events: OAuth2Events? = nil) throws -> SAPURLSession {
        var configuration = SAPURLSession.Configuration()
        configuration.transport.trustRoots = .pem(try authority.pem)
        configuration.transport.maximumConnectionsPerHost = 100
        // A hundred handshakes at once are slow when other tests run in parallel.
        configuration.transport.connectTimeout = .seconds(300)
        configuration.session.requestTimeout = .seconds(300)
        configuration.session.eventObservers = events.map { [$0] } ?? []
        return SAPURLSession(configuration: configuration)
    }

    /// Registers an observer.
    func register(_ discovery: any UserIdentityObtaining, store: (any UserIdentityStoring)? = nil) throws {
        session.register(UserIdentityObserver(userIdentityDiscovery: discovery, identityStore: store))
    }

    /// Returns the user that the server reports.
    func user(_ path: String = "orders", _ method: String = "GET", body: Data? = nil) async throws -> String {
        var request = URLRequest(url: mock.baseURL.appending(path: path))
        request.httpMethod = method
        request.httpBody = body
        let (data, _) = try await session.data(for: request)
        return try JSONDecoder().decode(MockResource.self, from: data).user
    }

    /// Sends a number of requests in parallel.
    func users(_ count: Int) async -> [Result<String, any Error>] {
        await withTaskGroup(of: Result<String, any Error>.self) { group in
            for _ in 0..<count {
                group.addTask {
                    do { return .success(try await user()) } catch { return .failure(error) }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }
}

/// Returns one result after another, and counts the calls.
final class ScriptedIdentities: UserIdentityObtaining {
    private let answers: Mutex<[Result<Data?, any Error>]>
    private let asked = Mutex(0)

    init(_ answers: Result<Data?, any Error>...) { self.answers = Mutex(answers) }

    var count: Int { asked.withLock { $0 } }

    func obtainUserIdentity(completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void) {
        asked.withLock { $0 += 1 }
        switch answers.withLock({ $0.isEmpty ? .success(nil) : $0.removeFirst() }) {
        case .success(let data): completionHandler(data, nil)
        case .failure(let error): completionHandler(nil, error)
        }
    }
}

/// A store in memory.
final class IdentityMemory: UserIdentityStoring {
    private let entries = Mutex<[URL: Data]>([:])

    var all: [URL: Data] { entries.withLock { $0 } }

    func store(identity: Data, for url: URL) { entries.withLock { $0[url] = identity } }
    func identity(for url: URL) -> Data? { entries.withLock { $0[url] } }
    func delete(for url: URL) { entries.withLock { $0[url] = nil } }
}

extension Result {
    /// The error; `nil` for a success.
    var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
