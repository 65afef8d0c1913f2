import Countersign
import CountersignTesting
import Foundation
import SAPMobileServices
import SAPMobileServicesTesting
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A session at a mock landscape, for methods whose credential the application supplies.
struct CredentialBench {
    let mock: MockLandscape
    let session: SAPURLSession
    let method: String

    static func run(
        _ method: String, options: (inout MockOptions) -> Void = { _ in },
        change: (inout SAPURLSession.Configuration) -> Void = { _ in }, _ body: (CredentialBench) async throws -> Void
    ) async throws {
        var mockOptions = MockOptions()
        mockOptions.protection = method
        options(&mockOptions)
        try await MockLandscape.run(.sapMobileServices, rules: .sapMobileServices, options: mockOptions) { mock in
            var configuration = SAPURLSession.Configuration()
            configuration.transport.maximumConnectionsPerHost = 100
            change(&configuration)
            let bench = CredentialBench(mock: mock, session: SAPURLSession(configuration: configuration), method: method)
            try await body(bench)
            await bench.session.session.invalidate(cancelling: true)
        }
    }

    /// Registers an observer.
    func register(_ observer: any SAPURLSessionObserving) throws { session.register(observer) }

    func url(_ path: String) -> URL { mock.baseURL.appending(path: path) }

    /// Returns the user that the server reports.
    func user(_ path: String = "orders") async throws -> String {
        let (data, _) = try await session.data(from: url(path))
        return try JSONDecoder().decode(MockResource.self, from: data).user
    }

    func status(_ path: String = "orders") async throws -> Int? {
        (try await session.data(from: url(path)).1 as? HTTPURLResponse)?.statusCode
    }

    /// Returns the error of a request; `nil` if it succeeds.
    func error(_ path: String = "orders") async -> (any Error)? {
        do {
            _ = try await session.data(from: url(path))
            return nil
        } catch {
            return error
        }
    }

    /// Sends a number of requests, which the server holds back until all have arrived.
    func users(_ count: Int) async -> [Result<String, any Error>] {
        mock.hold(.path("/orders"), until: count, limit: .seconds(120))
        return await withTaskGroup(of: Result<String, any Error>.self) { group in
            for _ in 0..<count {
                group.addTask {
                    do { return .success(try await user()) } catch { return .failure(error) }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }
}

/// A discovery that returns one answer after another, then `nil`, and records the questions.
final class ScriptedDiscovery: BasicCredentialDiscovery {
    struct Question: Sendable, Equatable {
        let realm: String?
        let refusals: Int
    }

    private let answers: Mutex<[BasicCredential]>
    private let questions = Mutex<[Question]>([])

    convenience init(_ answers: (String, String)...) { self.init(answers) }

    init(_ answers: [(String, String)]) {
        self.answers = Mutex(answers.map { BasicCredential(username: $0.0, password: $0.1) })
    }

    var asked: [Question] { questions.withLock { $0 } }

    func provideBasicCredential(
        for url: URL, challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (BasicCredential?, (any Error)?) -> Void
    ) {
        let space = challenge.protectionSpace
        questions.withLock { $0.append(Question(realm: space.realm, refusals: challenge.previousFailureCount)) }
        completionHandler(answers.withLock { $0.isEmpty ? nil : $0.removeFirst() }, nil)
    }
}

/// A store in memory.
final class CredentialMemory: BasicCredentialStoring {
    private let entries = Mutex<[URL: BasicCredential]>([:])

    var all: [URL: BasicCredential] { entries.withLock { $0 } }

    func store(credential: BasicCredential, for url: URL) { entries.withLock { $0[url] = credential } }
    func credential(for url: URL) -> BasicCredential? { entries.withLock { $0[url] } }
    func delete(for url: URL) { entries.withLock { $0[url] = nil } }
}
