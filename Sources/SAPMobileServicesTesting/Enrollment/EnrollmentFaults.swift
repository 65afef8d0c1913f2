internal import CountersignIdentity
internal import CountersignTesting
internal import HTTPTypes

/// The remaining faults of services that issue certificates.
struct EnrollmentFaults: Sendable {
    private let queue = FaultQueue<MockEnrollmentEndpoint, MockEnrollmentFault>()

    func add(_ fault: MockEnrollmentFault, at endpoint: MockEnrollmentEndpoint?, times: Int) {
        queue.add(fault, times: times) { endpoint == nil || $0 == endpoint }
    }

    func removeAll() { queue.removeAll() }

    /// Answers a request, with the next fault if there is one.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint of the request.
    ///   - authority: The authority that issues the wrong certificates of faults.
    ///   - process: Processes the request.
    func answer(
        at endpoint: MockEnrollmentEndpoint, authority: MockCertificateAuthority, _ process: () -> EnrollmentAnswer
    ) -> MockResponse {
        switch queue.next(for: endpoint) {
        case nil: return process().response
        case .answer(let status, let body, let type):
            return MockResponse(
                status: HTTPResponse.Status(code: status), fields: [.contentType: type, .cacheControl: "no-store"], body: body.utf8)
        case .html: return .page(LoginPages.message("Network sign-in", "Sign in to use this network."))
        case .connectionReset:
            var response = MockResponse(status: .ok)
            response.delivery = .reset
            return response
        case .members(let changes):
            return process().changed { members in
                for (name, json) in changes.sorted(by: { $0.key < $1.key }) { members.set(name, toJSON: json) }
            }.response
        case .foreignCertificate:
            return process().with((try? authority.identity(for: "eve").certificateChain) ?? []).response
        case .issuerAlone:
            return process().with((try? authority.identity(for: "eve").certificateChain.suffix(1).map(\.self)) ?? []).response
        }
    }
}
