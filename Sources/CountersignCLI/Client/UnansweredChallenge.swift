import Countersign
import Foundation
import HTTPTypes

/// A response of a session that is a challenge, which no method has answered.
struct UnansweredChallenge {
    /// The number of schemes that are named.
    private static let maximumSchemes = 8

    /// The status, the challenge, and the methods that have not answered it. It contains no parameter of the challenge.
    let description: String
    /// The options and commands that help.
    let remedy: String

    /// - Returns: `nil` if the response is not recognised as a challenge: by its status, by the schemes that it offers, or as the
    ///   challenge of another method of the landscape.
    init?(_ response: SessionResponse, to request: SessionRequest, of client: Client) {
        let (head, url) = (response.head, response.url)
        let status = head.status.code
        let other = client.otherChallenge(in: head, from: url)
        let schemes = Self.schemes(of: head)
        guard status == 401 || [403, 407].contains(status) && !schemes.isEmpty || other != nil else { return nil }
        let named = schemes.isEmpty ? "" : " (\(schemes.joined(separator: ", ")))"
        let challenge =
            if let other {
                "the challenge '\(other.challenge)' of \(other.landscape).\(other.method)\(named), which"
            } else {
                schemes.isEmpty ? "a challenge without a scheme, which" : "a challenge\(named) that"
            }
        description = """
            the server answered with status \(status): \(challenge) no method of the session has answered (\(client.methodNames))
            """
        let probe = "'countersign probe URL' shows the challenge"
        remedy =
            if let other {
                "Name that method, alone or with others: '--method \(other.method)'. \(probe)."
            } else if status == 407 {
                "Give the user and the password of the proxy in the URL in HTTPS_PROXY or ALL_PROXY. \(probe)."
            } else if let reason = client.reasonForNoCredential(at: url) {
                reason
            } else if let reason = client.reasonForNoCredential(in: request, answeredBy: response) {
                reason
            } else {
                "\(probe), and names the methods that answer it: choose one with '--landscape' and '--method'."
            }
    }

    /// Returns the names of the schemes that a response offers, each once.
    private static func schemes(of head: HTTPResponse) -> [String] {
        var seen: Set<String> = []
        let names = AuthenticationChallenge.Field.allCases.flatMap { field in
            AuthenticationChallenge.challenges(in: head.headerFields, of: field).map(\.scheme)
        }
        return Array(names.filter { seen.insert($0.lowercased()).inserted }.prefix(maximumSchemes))
    }
}
