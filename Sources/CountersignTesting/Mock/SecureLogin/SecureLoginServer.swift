import Countersign
import Foundation
import HTTPTypes

/// Plays a Secure Login Server: a login in rounds, then a certificate for who has logged in.
///
/// The seeds name the parts of a login and nothing of what goes over the wire; what does is this mock's own, simple and strict.
struct SecureLoginServer: MockService {
    private struct LoginBody: Decodable {
        let salt: String?
        let values: [String: String]?
    }

    private struct CertificateBody: Decodable {
        let ticket: String
        let certificateRequest: String
    }

    let options: MockSecureLoginOptions
    let ledger: SecureLoginLedger
    private let authority: MockCertificateAuthority
    private let faults: EnrollmentFaults
    private let recorder: MockRecorder

    init(
        _ options: MockSecureLoginOptions, users: [String: String], authority: MockCertificateAuthority, faults: EnrollmentFaults,
        recorder: MockRecorder
    ) {
        self.options = options
        self.authority = authority
        self.faults = faults
        self.recorder = recorder
        ledger = SecureLoginLedger(options: options, users: users)
    }

    func respond(to request: MockRequest) -> MockResponse? {
        switch request.path {
        case MockSecureLogin.loginPath + options.profile:
            recorder.count { $0.secureLogin.loginRequests += 1 }
            return answer(request, at: .login) { login(request) }
        case MockSecureLogin.certificatePath + options.profile:
            recorder.count { $0.secureLogin.certificateRequests += 1 }
            return answer(request, at: .certificate) { certificate(request) }
        case let path where path.hasPrefix(MockSecureLogin.loginPath) || path.hasPrefix(MockSecureLogin.certificatePath):
            return EnrollmentAnswer.refusal("There is no such profile.", status: .notFound).response
        default: return nil
        }
    }

    private func answer(
        _ request: MockRequest, at endpoint: MockEnrollmentEndpoint, _ process: () -> EnrollmentAnswer
    ) -> MockResponse {
        faults.answer(at: endpoint, authority: authority) {
            request.method == .post ? process() : .other(.notAllowed(allow: "POST"))
        }
    }

    private func login(_ request: MockRequest) -> EnrollmentAnswer {
        guard let body = request.json(LoginBody.self) else { return .refusal("The body is no JSON of a login.") }
        switch (body.salt, body.values) {
        case (nil, nil):
            recorder.count { $0.secureLogin.begun += 1 }
            let (salt, verdict) = ledger.begin()
            return answer(verdict, salt: salt)
        case (let salt?, let values?): return answer(ledger.submit(values, salt: salt), salt: salt)
        case (nil, _?), (_?, nil): return .refusal("Salt and values come together.")
        }
    }

    private func answer(_ verdict: SecureLoginLedger.Verdict, salt: String) -> EnrollmentAnswer {
        var members = JSONMembers()
        members.set("salt", to: salt)
        switch verdict {
        case .unknown:
            recorder.count { $0.secureLogin.unknownSalts += 1 }
            return .refusal("There is no such login.", status: .forbidden)
        case .wrong:
            recorder.count { $0.secureLogin.wrongValues += 1 }
            return .refusal("That is not right.", status: .unauthorized)
        case .next(let page): page.write(to: &members)
        case .ticket(let ticket):
            recorder.count { $0.secureLogin.logins += 1 }
            members.set("ticket", to: ticket)
        }
        return .object(members, status: .ok)
    }

    /// The certificate is for who has logged in, whatever subject the request names. A ticket is used up by a request that fails, too.
    private func certificate(_ request: MockRequest) -> EnrollmentAnswer {
        guard let body = request.json(CertificateBody.self) else {
            return .refusal("The body is no JSON with a ticket and a certificate request.")
        }
        guard let user = ledger.redeem(body.ticket) else {
            recorder.count { $0.secureLogin.badTickets += 1 }
            return .refusal("The ticket is not good, or not any more.", status: .forbidden)
        }
        guard let received = ReceivedCertificateRequest(pem: body.certificateRequest) else {
            return .refusal("The certificate request cannot be read, or is not signed with its key.")
        }
        guard let chain = try? authority.sign(received.der, for: user),
            let serial = chain.first.flatMap(MockCertificateAuthority.serialNumber)
        else { return .refusal("The certificate cannot be signed.", status: .internalServerError) }
        recorder.count { $0.secureLogin.issued.append(serial) }
        var members = JSONMembers()
        members.set("certificate", to: MockCertificateAuthority.pem(chain))
        return .object(members, status: .ok)
    }
}
