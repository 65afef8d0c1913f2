import Countersign
import Foundation
import HTTPTypes

/// The response of a server.
struct ProbeAnswer: Sendable {
    let head: HTTPResponse
    let body: [UInt8]

    /// Returns the challenges in a header field.
    func offers(in field: AuthenticationChallenge.Field = .wwwAuthenticate) -> [AuthenticationChallenge] {
        AuthenticationChallenge.challenges(in: head.headerFields, of: field)
    }

    /// Whether a capture finds a value of its type. The origin of a URL is not compared, since the application's values are unknown.
    func has(_ capture: ChallengePattern.Capture) -> Bool {
        switch capture.source {
        case .header(let name): HTTPField.Name(name).map(head.headerFields.contains) ?? false
        case .cookie(let name): head.headerFields[fields: .setCookie].contains { $0.value.hasPrefix("\(name)=") }
        case .parameter(let name):
            AuthenticationChallenge.Field.allCases.flatMap { offers(in: $0) }.contains { offer in
                guard let text = offer[name] else { return false }
                if case .url = capture.kind { return URL(string: text)?.host() != nil }
                return true
            }
        // Without a value in the body, the challenge would not match.
        case .json, .query, .input, .xml, .body: true
        }
    }

    /// Whether the response can be a challenge.
    var isRefusal: Bool {
        [401, 403, 409].contains(head.status.code)
            || [301, 302, 303, 307, 308].contains(head.status.code) && head.headerFields.contains(.location)
    }
}
