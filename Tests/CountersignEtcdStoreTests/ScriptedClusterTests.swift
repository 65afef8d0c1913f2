import Countersign
import CountersignFileStore
import Foundation
import HTTPTypes
import Synchronization
import TestTurns
import Testing

@testable import CountersignEtcdStore

/// The store with members whose answers a real cluster gives only at certain moments.
@Suite(.takesTurns, .timeLimit(.minutes(5))) struct ScriptedClusterTests {
    private let key = StoreKey.random()

    private func store(_ cluster: ScriptedCluster, members: Int = 1) throws -> EtcdCredentialStore {
        let endpoints = try (1...members).map { try #require(URL(string: "http://127.0.0.1:\(2_000 + $0)")) }
        var configuration = EtcdConfiguration(endpoints: endpoints, landscape: "L")
        configuration.user = .init(name: "alice", password: SecretBytes(utf8: "wonderland"))
        configuration.requestTimeout = .seconds(60)
        configuration.patience = .seconds(60)
        return try EtcdCredentialStore(configuration, key: key, transport: cluster)
    }

    private func code(_ body: () async throws -> Void) async -> CredentialStoreError.Code? {
        await #expect(throws: CredentialStoreError.self) { try await body() }?.code
    }

    @Test(arguments: [500, 503]) func `a member that cannot issue a token is passed over, and does not count as a refusal`(
        status: Int
    ) async throws {
        let cluster = ScriptedCluster { head, path in
            if path == "/v3/auth/authenticate" {
                return head.authority == "127.0.0.1:2001"
                    ? (status, #"{"error":"etcdserver: leader changed","code":14,"message":"etcdserver: leader changed"}"#)
                    : (200, #"{"header":{"revision":"1"},"token":"token1"}"#)
            }
            guard head.headerFields[.authorization] == nil else { return nil }
            return (401, #"{"error":"etcdserver: invalid auth token","code":16,"message":"etcdserver: invalid auth token"}"#)
        }
        #expect(try await store(cluster, members: 2).read("name") == nil)
    }

    @Test func `a refused password is an error at once`() async throws {
        let cluster = ScriptedCluster { _, path in
            path == "/v3/auth/authenticate"
                ? (400, #"{"code":3,"message":"etcdserver: authentication failed, invalid user ID or password"}"#)
                : (401, #"{"code":16,"message":"etcdserver: invalid auth token"}"#)
        }
        #expect(await code { _ = try await store(cluster, members: 2).read("name") } == .notPermitted)
    }

    @Test func `an overloaded cluster is asked again, and is not called full`() async throws {
        let requests = Mutex(0)
        let cluster = ScriptedCluster { _, _ in
            let number = requests.withLock { requests in
                requests += 1
                return requests
            }
            return number > 2 ? nil : (429, #"{"code":8,"message":"etcdserver: too many requests"}"#)
        }
        #expect(try await store(cluster).read("name") == nil)
        let full = ScriptedCluster { _, _ in (429, #"{"code":8,"message":"etcdserver: mvcc: database space exceeded"}"#) }
        #expect(await code { _ = try await store(full).read("name") } == .noSpace)
    }

    @Test func `the first writes of two credentials do not conflict, and those of one credential do`() async throws {
        let cluster = ScriptedCluster { _, _ in nil }
        let (first, second) = (try store(cluster), try store(cluster))
        cluster.interfere {
            try await second.write(SecretBytes(utf8: "2"), for: "second", replacing: nil)
        }
        let version = try await first.write(SecretBytes(utf8: "1"), for: "first", replacing: nil)
        #expect(try await second.read("first")?.version == version)
        #expect(try await first.read("second")?.secret == SecretBytes(utf8: "2"))

        let other = ScriptedCluster { _, _ in nil }
        let (third, fourth) = (try store(other), try store(other))
        other.interfere {
            try await fourth.write(SecretBytes(utf8: "4"), for: "name", replacing: nil)
        }
        #expect(await code { try await third.write(SecretBytes(utf8: "3"), for: "name", replacing: nil) } == .conflict)
        #expect(try await third.read("name")?.secret == SecretBytes(utf8: "4"))
    }
}

/// A cluster in memory, with the part of etcd's gateway that reading and writing need.
private final class ScriptedCluster: HTTPTransport {
    /// Returns the status and body of the answer to a request; `nil` for the cluster's own answer.
    typealias Script = @Sendable (_ head: HTTPRequest, _ path: String) -> (Int, String)?
    typealias Interference = @Sendable () async throws -> Void

    private struct Message: Decodable {
        struct Comparison: Decodable {
            let key: Data
            let mod_revision: String
        }

        struct Key: Decodable { let key: Data }

        struct Put: Decodable {
            let key: Data
            let value: Data
        }

        struct Operation: Decodable {
            let request_range: Key?
            let request_put: Put?
        }

        let compare: [Comparison]
        let success: [Operation]

        var isChange: Bool { success.contains { $0.request_put != nil } }
    }

    private struct Answer: Encodable {
        struct Header: Encodable { let revision: String }

        struct Value: Encodable {
            let key: Data
            let value: Data
            let create_revision: String
            let mod_revision: String
        }

        struct Found: Encodable { let kvs: [Value] }

        struct Response: Encodable { let response_range: Found? }

        let header: Header
        let succeeded: Bool
        let responses: [Response]
    }

    private struct Entry {
        let value: Data
        let revision: Int
    }

    private struct State {
        var entries: [Data: Entry] = [:]
        var revision = 1

        mutating func execute(_ message: Message) -> Answer {
            let holds = message.compare.allSatisfy { String(entries[$0.key]?.revision ?? 0) == $0.mod_revision }
            var responses: [Answer.Response] = []
            if holds {
                if message.isChange { revision += 1 }
                for operation in message.success {
                    if let put = operation.request_put { entries[put.key] = Entry(value: put.value, revision: revision) }
                    responses.append(Answer.Response(response_range: operation.request_range.map { found($0.key) }))
                }
            }
            return Answer(header: Answer.Header(revision: String(revision)), succeeded: holds, responses: responses)
        }

        private func found(_ key: Data) -> Answer.Found {
            guard let entry = entries[key] else { return Answer.Found(kvs: []) }
            let revision = String(entry.revision)
            return Answer.Found(
                kvs: [Answer.Value(key: key, value: entry.value, create_revision: revision, mod_revision: revision)])
        }
    }

    private let script: Script
    private let state = Mutex(State())
    private let interference = Mutex<[Interference]>([])

    init(_ script: @escaping Script) { self.script = script }

    /// Runs work once, before the next change.
    func interfere(_ work: @escaping Interference) { interference.withLock { $0.append(work) } }

    func send(_ request: SessionRequest) async throws -> SessionResponse {
        let url = try #require(request.head.url)
        if let (status, text) = script(request.head, url.path()) { return Self.response(status, Array(text.utf8), from: url) }
        guard url.path() == "/v3/kv/txn", case .bytes(let body) = request.body.content else {
            return Self.response(404, Array("not found".utf8), from: url)
        }
        let message = try JSONDecoder().decode(Message.self, from: Data(body))
        if message.isChange, let work = interference.withLock({ $0.popLast() }) { try await work() }
        let answer = state.withLock { $0.execute(message) }
        return Self.response(200, Array(try JSONEncoder().encode(answer)), from: url)
    }

    func shutdown() async throws {}

    private static func response(_ status: Int, _ body: [UInt8], from url: URL) -> SessionResponse {
        let head = HTTPResponse(status: .init(code: status), headerFields: [.contentType: "application/json"])
        return SessionResponse(head: head, url: url, body: ResponseBody(bytes: body))
    }
}
