internal import CountersignTesting
internal import Foundation
internal import HTTPTypes

/// A response of a service that issues certificates: a JSON object, certificates, or another response.
enum EnrollmentAnswer: Sendable {
    case object(JSONMembers, status: HTTPResponse.Status)
    /// Certificates in DER, which are sent as a PKCS #7 message.
    case certificates([[UInt8]])
    case other(MockResponse)

    /// Returns a refusal with a sentence for the user.
    ///
    /// - Parameter member: The name of the JSON member for the sentence.
    static func refusal(
        _ message: String, status: HTTPResponse.Status = .badRequest, member: String = "message"
    ) -> EnrollmentAnswer {
        var members = JSONMembers()
        members.set(member, to: message)
        return .object(members, status: status)
    }

    /// Returns the response with changed members. A response that is no object is unchanged.
    func changed(_ change: (inout JSONMembers) -> Void) -> EnrollmentAnswer {
        guard case .object(var members, let status) = self else { return self }
        change(&members)
        return .object(members, status: status)
    }

    /// Returns the response with other certificates. A response that is neither an object nor certificates is unchanged.
    func with(_ certificates: [[UInt8]]) -> EnrollmentAnswer {
        switch self {
        case .object(var members, let status):
            members.set("certificate", to: MockCertificateAuthority.pem(certificates))
            return .object(members, status: status)
        case .certificates: return .certificates(certificates)
        case .other: return self
        }
    }

    /// The HTTP response.
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
