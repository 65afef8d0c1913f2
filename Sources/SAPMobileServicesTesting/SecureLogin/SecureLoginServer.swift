internal import CountersignTesting
internal import Foundation
internal import HTTPTypes

/// A Secure Login Server: a login in several rounds, and then a certificate for the user.
///
/// The messages are those of `SLSUserIdentityDiscovery.yaml`: forms and JSON for the login, PKCS #10 for the certificate, and a
/// cookie that links both.
struct SecureLoginServer: Sendable {
    /// The cookie of a completed login.
    static let cookie = "SLSSESSION"

    let options: MockSecureLoginOptions
    let ledger: SecureLoginLedger
    private let authority: MockCertificateAuthority
    private let faults: EnrollmentFaults
    let recorder = ServiceRecorder(MockSecureLoginStatistics())

    init(
        _ options: MockSecureLoginOptions, users: [String: String], authority: MockCertificateAuthority, faults: EnrollmentFaults
    ) {
        self.options = options
        self.authority = authority
        self.faults = faults
        ledger = SecureLoginLedger(options: options, users: users)
    }

    /// Returns the response of an endpoint; `nil` if the path belongs to none.
    func respond(to request: MockRequest) -> MockResponse? {
        let isLogin = request.path == MockSecureLogin.loginPath
        guard isLogin || request.path == MockSecureLogin.certificatePath else { return nil }
        recorder.count { statistics in
            if isLogin { statistics.loginRequests += 1 } else { statistics.certificateRequests += 1 }
        }
        guard request.queryFields?["profile"] == options.profile else {
            return Self.refusal("There is no such profile.", status: .notFound).response
        }
        return isLogin ? answer(request, at: .login) { login(request) } : answer(request, at: .certificate) { certificate(request) }
    }

    /// Returns a refusal with a sentence for the user.
    private static func refusal(_ message: String, status: HTTPResponse.Status = .badRequest) -> EnrollmentAnswer {
        .refusal(message, status: status, member: "clientMessage")
    }

    private func answer(
        _ request: MockRequest, at endpoint: MockEnrollmentEndpoint, _ process: () -> EnrollmentAnswer
    ) -> MockResponse {
        faults.answer(at: endpoint, authority: authority) {
            request.method == .post ? process() : .other(.notAllowed(allow: "POST"))
        }
    }

    /// Handles a form of a login. The first one has preferences for the certificate, each later one the salt and the values of a
    /// page.
    private func login(_ request: MockRequest) -> EnrollmentAnswer {
        guard let form = request.form else { return Self.refusal("The body is not a login form.") }
        guard let salt = form["salt"] else {
            recorder.count { $0.begun += 1 }
            let (salt, verdict) = ledger.begin()
            return answer(verdict, salt: salt)
        }
        let values = form.pairs.filter { $0.name != "salt" }
        return answer(ledger.submit(Dictionary(values.map { ($0.name, $0.value) }) { $1 }, salt: salt), salt: salt)
    }

    private func answer(_ verdict: SecureLoginLedger.Verdict, salt: String) -> EnrollmentAnswer {
        var members = JSONMembers()
        members.set("salt", to: salt)
        switch verdict {
        case .unknown:
            recorder.count { $0.unknownSalts += 1 }
            return Self.refusal("There is no such login.", status: .forbidden)
        case .wrong:
            recorder.count { $0.wrongValues += 1 }
            return Self.refusal("The entered values are wrong.", status: .unauthorized)
        case .next(let page): page.write(to: &members)
        case .ticket(let ticket):
            recorder.count { $0.logins += 1 }
            members.set(
                "certificateTemplate",
                toJSON: Self.template(for: ledger.user(of: ticket) ?? options.user, names: options.alternativeNames).text)
            return .other(
                EnrollmentAnswer.object(members, status: .ok).response.settingCookie(Self.cookie, to: ticket))
        }
        return .object(members, status: .ok)
    }

    private static func template(for user: String, names: [String]) -> JSONMembers {
        var template = JSONMembers()
        template.set("subject", to: "CN=\(user),O=Countersign Mock")
        if !names.isEmpty { template.set("subjectAltNamesDNS", to: names.joined(separator: ",")) }
        return template
    }

    /// Issues a certificate for the logged-in user, independently of the subject in the request. The ticket is consumed even if
    /// the request fails.
    private func certificate(_ request: MockRequest) -> EnrollmentAnswer {
        guard let ticket = request.cookieValues(Self.cookie).first, let user = ledger.redeem(ticket) else {
            recorder.count { $0.badTickets += 1 }
            return Self.refusal("No user is logged in, or the login has ended.", status: .forbidden)
        }
        guard request.fields[.contentType] == "application/pkcs10", request.body.count == request.bodyLength,
            let received = ReceivedCertificateRequest(der: request.body)
        else { return Self.refusal("The certificate request cannot be read, or is not signed with its key.") }
        guard let chain = try? authority.sign(received.der, for: user),
            let serial = chain.first.flatMap(MockCertificateAuthority.serialNumber)
        else { return Self.refusal("The certificate cannot be signed.", status: .internalServerError) }
        recorder.count { $0.issued.append(serial) }
        return .certificates(chain)
    }
}
