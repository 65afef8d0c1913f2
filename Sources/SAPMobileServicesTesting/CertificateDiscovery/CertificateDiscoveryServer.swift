internal import CountersignTesting
internal import Foundation
internal import HTTPTypes
internal import Synchronization

/// The Certificate Discovery service: returns the attributes of a user's certificate, signs the certificate, and revokes it.
///
/// The SDK's documentation names the three endpoints but not the format of their messages, which is specific to this mock, and
/// strict.
final class CertificateDiscoveryServer: Sendable {
    private struct RequestBody: Decodable {
        let certificateRequest: String
    }

    private struct RetirementBody: Decodable {
        let serialNumber: String
    }

    private let options: MockCertificateDiscoveryOptions
    private let authority: MockCertificateAuthority
    private let bearer: BearerCheck
    private let faults: EnrollmentFaults
    let recorder = ServiceRecorder(MockCertificateDiscoveryStatistics())
    /// The valid issued certificates, in DER, by serial number.
    private let issued = Mutex<[String: [UInt8]]>([:])

    /// - Parameter server: The authorization server whose access tokens the service accepts.
    init(
        _ options: MockCertificateDiscoveryOptions, authority: MockCertificateAuthority, server: AuthorizationServer,
        faults: EnrollmentFaults
    ) {
        self.options = options
        self.authority = authority
        bearer = BearerCheck(server: server, template: nil)
        self.faults = faults
    }

    /// Returns the response of an endpoint; `nil` if the path belongs to none.
    func respond(to request: MockRequest) -> MockResponse? {
        guard request.path.hasPrefix(MockCertificateDiscovery.path) else { return nil }
        switch request.path.dropFirst(MockCertificateDiscovery.path.count) {
        case "getUserCertificateAttributes":
            recorder.count { $0.attributes += 1 }
            return answer(request, at: .attributes, method: .get) { .object(attributes(for: $0).members, status: .ok) }
        case "requestUserCertificate":
            recorder.count { $0.requests += 1 }
            return answer(request, at: .request, method: .post) { issue(for: $0, request) }
        case "retireUserCertificate":
            recorder.count { $0.retirements += 1 }
            return answer(request, at: .retire, method: .post) { _ in retire(request) }
        default: return nil
        }
    }

    /// Processes a request, unless a fault applies. Faults take precedence over all checks, so even an unauthorized client
    /// receives them.
    private func answer(
        _ request: MockRequest, at endpoint: MockEnrollmentEndpoint, method: HTTPRequest.Method,
        _ process: (_ user: String) -> EnrollmentAnswer
    ) -> MockResponse {
        faults.answer(at: endpoint, authority: authority) {
            guard request.method == method else { return .other(.notAllowed(allow: method.rawValue)) }
            switch bearer.decide(on: request) {
            case .refused(let response): return .other(response)
            case .user(let user): return process(user)
            }
        }
    }

    private func attributes(for user: String) -> CertificateAttributes { CertificateAttributes(for: user, options: options) }

    private func issue(for user: String, _ request: MockRequest) -> EnrollmentAnswer {
        guard let body = request.json(RequestBody.self) else { return .refusal("The body is not JSON with a certificate request.") }
        guard let received = ReceivedCertificateRequest(pem: body.certificateRequest) else {
            return .refusal("The certificate request cannot be read, or is not signed with its key.")
        }
        if let disagreement = attributes(for: user).disagreement(with: received.request) { return .refusal(disagreement) }
        guard let chain = try? options.sign?(received.der) ?? authority.sign(received.der), let leaf = chain.first,
            let serial = MockCertificateAuthority.serialNumber(of: leaf)
        else { return .refusal("The certificate cannot be signed.", status: .internalServerError) }
        issued.withLock { $0[serial] = leaf }
        recorder.count { $0.issued.append(serial) }
        var members = JSONMembers()
        members.set("certificate", to: MockCertificateAuthority.pem(chain))
        return .object(members, status: .created)
    }

    private func retire(_ request: MockRequest) -> EnrollmentAnswer {
        guard let body = request.json(RetirementBody.self) else { return .refusal("The body is not JSON with a serial number.") }
        guard let leaf = issued.withLock({ $0.removeValue(forKey: body.serialNumber) }) else {
            return .refusal("There is no such certificate.", status: .notFound)
        }
        authority.revoke(leaf: leaf)
        recorder.count { $0.retired.append(body.serialNumber) }
        return .other(MockResponse(status: .noContent))
    }
}
