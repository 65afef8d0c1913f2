#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension OAuth2ServerError {
    /// Reads the error of a token endpoint (RFC 6749, section 5.2); `nil` if there is none.
    ///
    /// - Parameters:
    ///   - object: The response.
    ///   - secrets: The secrets of the request, which are removed from the texts.
    init?(_ object: JSONObject, secrets: [String]) {
        switch object["error"] {
        case nil: return nil
        // Some servers fill in all members. These values never mean an error.
        case .text("")?, .flag(false)?, .number(0)?: return nil
        case .text?, .texts?, .number?, .flag?, .null?, .other?: break
        }
        func text(_ name: String) -> String? { object.text(name).map { Self.redact($0, secrets) } }
        let error = OAuth2ServerError(
            code: text("error"), message: text("error_description"), uri: text("error_uri"), state: text("state"), responseData: nil
        )
        let members = [("error", error.code), ("error_description", error.message), ("error_uri", error.uri)]
        self.init(
            code: error.code, message: error.message, uri: error.uri, state: error.state,
            responseData: Self.json(members.compactMap { name, value in value.map { (name, $0) } }))
    }

    /// Reads the error of a redirect (RFC 6749, section 4.1.2.1); `nil` if there is none.
    init?(_ parameters: FormParameters, secrets: [String]) {
        guard let code = parameters[nonempty: "error"] else { return nil }
        func text(_ name: String) -> String? { parameters[nonempty: name].map { Self.redact($0, secrets) } }
        self.init(
            code: Self.redact(code, secrets), message: text("error_description"), uri: text("error_uri"),
            state: parameters[nonempty: "state"], responseData: nil)
    }

    private static func redact(_ text: String, _ secrets: [String]) -> String {
        EchoedSecrets.redacting(text, secrets, from: 6)
    }

    private static func json(_ members: [(String, String)]) -> Data? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try? encoder.encode(Dictionary(members) { first, _ in first })
    }
}
