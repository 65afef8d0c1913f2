internal import Countersign
internal import Etcd
internal import Foundation
internal import HTTPTypes
internal import Synchronization

/// The members of a cluster, which are asked in turn until one answers.
///
/// A request may be executed twice, because a member that executed it may have been unable to respond.
final class Gateway: Sendable {
    private let members: [URL]
    private let session: Session
    private let requestTimeout: Duration
    /// The index of the member that answered last.
    private let preferred = Mutex(0)
    /// The time until which requests ask each member only once, because no member answered an earlier one.
    private let outage = Mutex<ContinuousClock.Instant?>(nil)

    /// The maximum size of a response in bytes: the largest credential, in Base64, with its key.
    private static let maximumAnswerSize = 2 << 20
    /// The maximum duration of a watch, since a disconnected member sends nothing. Afterwards the state is read again.
    private static let maximumWatch = Duration.seconds(10)

    /// - Throws: `CredentialStoreError` with the codes `unavailable` and `unsafe`.
    init(_ configuration: EtcdConfiguration, transport: any HTTPTransport) throws(CredentialStoreError) {
        guard !configuration.endpoints.isEmpty else {
            throw CredentialStoreError(.unavailable, detail: "the configuration names no member of the cluster")
        }
        for endpoint in configuration.endpoints {
            guard let origin = Origin(endpoint) else {
                throw CredentialStoreError(.unavailable, detail: "an endpoint is not an http or https URL")
            }
            guard origin.isPrivate else {
                throw CredentialStoreError(
                    .unsafe, detail: "over plain http others could change the stored data; use https", path: origin.description)
            }
        }
        members = configuration.endpoints
        requestTimeout = configuration.requestTimeout
        var settings = SessionConfiguration()
        settings.requestTimeout = configuration.requestTimeout
        // A restarted server has lost its tokens and challenges again.
        settings.maximumAuthentications = 1_000
        session = Session(
            configuration: settings, transport: configuration.identity.map { IdentityTransport(transport, $0) } ?? transport)
        guard let user = configuration.user else { return }
        for member in members {
            session.register(
                EtcdUserObserver(
                    parameters: EtcdUserParameters(
                        server: member, user: user.name, password: String(decoding: user.password.bytes, as: UTF8.self))))
        }
    }

    /// The members, for error messages.
    var description: String { members.compactMap { Origin($0)?.description }.joined(separator: ", ") }

    /// - Parameter endsWithTask: Whether cancelling the task ends the wait for a response.
    func transact(
        _ transaction: Transaction, within patience: Duration, endsWithTask: Bool = false
    ) async throws(CredentialStoreError) -> TransactionAnswer {
        try await ask("kv/txn", transaction, within: patience, endsWithTask: endsWithTask)
    }

    func grant(_ lifetime: Duration, within patience: Duration) async throws(CredentialStoreError) -> Lease {
        try await ask(
            "lease/grant", LeaseRequest(TTL: Number(lifetime.components.seconds)), within: patience, endsWithTask: true)
    }

    /// - Returns: Whether the lease still exists.
    func keepAlive(_ lease: Number, within patience: Duration) async throws(CredentialStoreError) -> Bool {
        let answer: LeaseKeptAlive = try await ask("lease/keepalive", LeaseRequest(ID: lease), within: patience, endsWithTask: true)
        return answer.result.TTL != nil
    }

    /// Revokes a lease and deletes the keys that are attached to it. An expired lease is not an error.
    func revoke(_ lease: Number, within patience: Duration) async throws(CredentialStoreError) {
        do throws(CredentialStoreError) {
            let _: LeaseRevoked = try await ask("lease/revoke", LeaseRequest(ID: lease), within: patience, endsWithTask: false)
        } catch {
            guard error.code == .leaseOver else { throw error }
        }
    }

    // MARK: One request

    private func ask<Message: Encodable & Sendable, Answer: Decodable & Sendable>(
        _ path: String, _ message: Message, within patience: Duration, endsWithTask: Bool
    ) async throws(CredentialStoreError) -> Answer {
        let start = ContinuousClock.now
        let isOut = outage.withLock { $0 }.map { start < $0 } ?? false
        let end = isOut ? start : start.advanced(by: patience)
        var pause = Duration.milliseconds(50)
        while true {
            var failure: MemberFailure?
            let first = preferred.withLock { $0 }
            for member in 0..<members.count {
                let number = (first + member) % members.count
                // The time is divided so that some remains for each member.
                let until = isOut ? start.advanced(by: requestTimeout) : end
                let share = ContinuousClock.now.duration(to: until) / (members.count - member)
                do throws(MemberFailure) {
                    let answer: Answer = try await ask(
                        members[number], path, message, timeout: min(requestTimeout, max(share, .milliseconds(500))),
                        endsWithTask: endsWithTask)
                    preferred.withLock { $0 = number }
                    outage.withLock { $0 = nil }
                    return answer
                } catch {
                    if error.isFinal { throw error.error }
                    // A temporary failure takes precedence, because it permits a retry.
                    if failure?.mayPass != true { failure = error }
                }
            }
            guard let failure, failure.mayPass, !(endsWithTask && Task.isCancelled), ContinuousClock.now.advanced(by: pause) < end
            else {
                // A shorter wait, such as that of a keep-alive near the end of its lease, does not prove an outage.
                if !isOut, failure?.mayPass == true, !Task.isCancelled, start.duration(to: .now) >= requestTimeout {
                    outage.withLock { $0 = .now.advanced(by: .seconds(5)) }
                }
                throw failure?.error ?? CredentialStoreError(.unavailable, detail: "the time limit was exceeded", path: description)
            }
            let time = pause
            // A detached task pauses even if the current task is cancelled.
            _ = await Task.detached { try? await Task.sleep(for: time) }.value
            pause = min(pause * 2, .seconds(1))
        }
    }

    /// Sends a request to a member in a detached task, so that it does not count as part of an authentication for which the store
    /// is used.
    private func ask<Message: Encodable & Sendable, Answer: Decodable & Sendable>(
        _ member: URL, _ path: String, _ message: Message, timeout: Duration, endsWithTask: Bool
    ) async throws(MemberFailure) -> Answer {
        let task = Task.detached { [session] () -> Result<Answer, MemberFailure> in
            do {
                let response = try await session.send(Self.request(member, path, message, timeout: timeout))
                let body = try await response.body.collect(upTo: Self.maximumAnswerSize, within: timeout)
                guard response.head.status.kind == .successful else {
                    return .failure(MemberFailure(status: response.head.status.code, body: body, member: member))
                }
                guard let answer = try? JSONDecoder().decode(Answer.self, from: Data(body)) else {
                    return .failure(.foreign(member))
                }
                return .success(answer)
            } catch {
                return .failure(MemberFailure(error, member: member))
            }
        }
        let result = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            if endsWithTask { task.cancel() }
        }
        return try result.get()
    }

    private static func request(
        _ member: URL, _ path: String, _ message: some Encodable, timeout: Duration
    ) throws -> SessionRequest {
        var head = HTTPRequest(method: .post, url: member.appending(path: "v3").appending(path: path))
        head.headerFields[.contentType] = "application/json"
        return SessionRequest(
            head, body: .bytes(try JSONEncoder().encode(message)), timeout: timeout, followsRedirects: false)
    }

    // MARK: Watching

    /// Returns when a key has or may have changed since a revision. The caller then reads it again.
    ///
    /// - Throws: `CancellationError`.
    func awaitChange(of key: KeyRange, since revision: Number) async throws {
        let member = members[preferred.withLock { $0 } % members.count]
        let message = WatchRequest(create_request: .init(key: key.start, start_revision: Number(revision.value + 1)))
        // This is detached as above, but it ends with the task.
        let watch = Task.detached { [session, requestTimeout] in
            await withThrowingTaskGroup { group in
                group.addTask {
                    let response = try await session.send(Self.request(member, "watch", message, timeout: requestTimeout))
                    guard response.head.status == .ok else { throw MemberFailure.foreign(member) }
                    var line: [UInt8] = []
                    for try await piece in response.body {
                        for byte in piece {
                            guard byte == UInt8(ascii: "\n") else {
                                line.append(byte)
                                continue
                            }
                            guard let isChanged = Self.isChanged(line) else { throw MemberFailure.foreign(member) }
                            if isChanged { return }
                            line = []
                        }
                        guard line.count < Self.maximumAnswerSize else { break }
                    }
                    throw MemberFailure.foreign(member)
                }
                group.addTask { try await Task.sleep(for: Self.maximumWatch) }
                defer { group.cancelAll() }
                return await group.nextResult()
            }
        }
        let result = await withTaskCancellationHandler {
            await watch.value
        } onCancel: {
            watch.cancel()
        }
        try Task.checkCancellation()
        // The caller's next read reports the reason. The pause prevents a busy loop if a member refuses or ends watches.
        if case .failure = result { try await Task.sleep(for: .milliseconds(200)) }
    }

    /// Whether a line of a watch's stream reports a certain or possible change; `nil` if the watch has ended without one.
    private static func isChanged(_ line: [UInt8]) -> Bool? {
        guard let answer = try? JSONDecoder().decode(WatchAnswer.self, from: Data(line)), let result = answer.result else {
            return nil
        }
        if result.events?.isEmpty == false || result.compact_revision != nil { return true }
        return result.canceled == true ? nil : false
    }
}

/// Sends all requests with a client identity.
private struct IdentityTransport: HTTPTransport {
    private let transport: any HTTPTransport
    private let identity: ConnectionIdentity

    init(_ transport: any HTTPTransport, _ identity: ConnectionIdentity) {
        self.transport = transport
        self.identity = identity
    }

    func send(_ request: SessionRequest) async throws -> SessionResponse {
        var request = request
        request.identity = identity
        return try await transport.send(request)
    }

    func shutdown() async throws { try await transport.shutdown() }
}
