internal import Countersign
internal import Foundation
internal import HTTPTypes

/// The reason why a member did not execute a request.
struct MemberFailure: Error {
    let error: CredentialStoreError
    /// Whether other members would fail in the same way.
    var isFinal = false
    /// Whether the failure may be temporary.
    var mayPass = false

    /// Returns the failure for the response of a server other than etcd.
    static func foreign(_ member: URL) -> MemberFailure {
        MemberFailure(error: CredentialStoreError(.foreign, detail: "the response is not from etcd's gateway", path: place(member)))
    }

    private static func place(_ member: URL) -> String? { Origin(member)?.description }
}

extension MemberFailure {
    /// Creates the failure of a refused request.
    init(status: Int, body: [UInt8], member: URL) {
        guard let refused = try? JSONDecoder().decode(RefusedAnswer.self, from: Data(body)) else {
            self = .foreign(member)
            // A proxy in front of the cluster may have responded.
            mayPass = (500...599).contains(status)
            return
        }
        // The codes are those of gRPC. Messages are compared only with etcd's own sentences.
        let place = Self.place(member)
        func error(_ code: CredentialStoreError.Code, _ detail: String) -> CredentialStoreError {
            CredentialStoreError(code, detail: detail, path: place)
        }
        switch refused.code {
        case 3 where refused.message == "etcdserver: request is too large":
            self.init(error: error(.tooLarge, "the cluster does not accept a value of that size"), isFinal: true)
        case 3 where refused.message == "etcdserver: user name is empty":
            self.init(error: error(.notPermitted, "the cluster requires a user, and the configuration names none"), isFinal: true)
        case 3 where refused.message == "etcdserver: revision of auth store is old":
            self.init(error: error(.notPermitted, "the user's token was issued before a change of the users"), mayPass: true)
        case 5: self.init(error: error(.leaseOver, "the lease has expired"), isFinal: true)
        case 7: self.init(error: error(.notPermitted, "the user may not read and write the prefix of the keys"), isFinal: true)
        case 8 where refused.message == "etcdserver: too many requests":
            self.init(error: error(.unavailable, "the cluster is overloaded"), mayPass: true)
        case 8: self.init(error: error(.noSpace, "the cluster's space for keys is used up"), isFinal: true)
        case 16: self.init(error: error(.notPermitted, "the cluster does not accept the user's token"), isFinal: true)
        case 1, 2, 4, 10, 13, 14:
            self.init(error: error(.unavailable, "the member of the cluster cannot answer now"), mayPass: true)
        default: self.init(error: error(.inputOutput, "the cluster has refused the request, with status \(status)"), isFinal: true)
        }
    }

    /// Creates the failure of a request without a response.
    init(_ error: any Error, member: URL) {
        let place = Self.place(member)
        switch error {
        case is CancellationError:
            self.init(error: CredentialStoreError(.unavailable, detail: "the task was cancelled", path: place), isFinal: true)
        case let error as TransportError:
            self.init(
                error: CredentialStoreError(
                    error.reason == .tls || error.reason == .clientCertificate ? .notPermitted : .unavailable,
                    detail: "no member of the etcd cluster answers: \(error.detail)", path: place),
                mayPass: error.reason != .tls && error.reason != .clientCertificate)
        case let error as CountersignError where error.code == .responseTooLarge: self = .foreign(member)
        case let error as CountersignError where error.code == .timedOut || error.code == .unreachable:
            self.init(
                error: CredentialStoreError(.unavailable, detail: "no member of the etcd cluster answers in time", path: place),
                mayPass: true)
        case let error as CountersignError where (error.status ?? 0) >= 500:
            // A member that cannot answer now issues no token either, and another member may.
            self.init(
                error: CredentialStoreError(
                    .unavailable, detail: "the member of the cluster cannot issue a token now", path: place),
                mayPass: true)
        case let error as any AuthenticationError:
            self.init(
                error: CredentialStoreError(.notPermitted, detail: "the cluster refuses the user: \(error.code)", path: place),
                isFinal: true)
        default:
            self.init(
                error: CredentialStoreError(.notPermitted, detail: "the cluster refuses the user", path: place), isFinal: true)
        }
    }
}

extension CredentialStoreError.Code {
    /// A lease has expired. This code is internal and never leaves the store.
    static let leaseOver = CredentialStoreError.Code(rawValue: "lease-over")
}
