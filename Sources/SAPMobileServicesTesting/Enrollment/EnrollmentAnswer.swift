internal import CountersignTesting
internal import Foundation
internal import HTTPTypes

/// What a service that gives out certificates answers: a JSON object, nothing, or something that comes from elsewhere.
enum EnrollmentAnswer: Sendable {
    case object(JSONMembers, status: HTTPResponse.Status)
    /// Certificates as DER, in a message of PKCS #7.
    case certificates([[UInt8]])
    case other(MockResponse)

    /// A refusal, with a sentence for the user.
    ///
    /// - Parameter member: Where the sentence stands.
    static func refusal(
        _ message: String, status: HTTPResponse.Status = .badRequest, member: String = "message"
    ) -> EnrollmentAnswer {
        var members = JSONMembers()
        members.set(member, to: message)
        return .object(members, status: status)
    }

    /// The same answer with other members; what is no object stays as it is.
    func changed(_ change: (inout JSONMembers) -> Void) -> EnrollmentAnswer {
        guard case .object(var members, let status) = self else { return self }
        change(&members)
        return .object(members, status: status)
    }

    /// The same answer with other certificates; what has none stays as it is.
    func with(_ certificates: [[UInt8]]) -> EnrollmentAnswer {
        switch self {
        case .object(var members, let status):
            members.set("certificate", to: MockCertificateAuthority.pem(certificates))
            return .object(members, status: status)
        case .certificates: return .certificates(certificates)
        case .other: return self
        }
    }

    /// As it goes over the wire.
    var response: MockResponse {
        switch self {
        case .object(let members, let status):
            MockResponse(
                status: status, fields: [.contentType: "application/json", .cacheControl: "no-store"], body: members.text.utf8)
        case .certificates(let certificates):
            (try? MockCertificateAuthority.pkcs7(certificates)).map {
                MockResponse(status: .ok, fields: [.contentType: "application/pkcs7-mime"], body: $0)
            } ?? MockResponse(status: .internalServerError)
        case .other(let response): response
        }
    }
}
