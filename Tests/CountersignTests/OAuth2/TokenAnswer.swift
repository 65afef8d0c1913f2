import Countersign
import Foundation
import HTTPTypes

/// A response of a token endpoint, for the tests of the reader.
struct TokenAnswer {
    var status = 200
    var fields: HTTPFields = [.contentType: "application/json;charset=UTF-8"]
    var body: [UInt8] = []

    /// The time at which every response arrives.
    static let arrival = TokenLifetime.Moment(elapsed: .seconds(500), date: Date(timeIntervalSince1970: 1_000_000))

    init(_ body: String, status: Int = 200, _ fields: HTTPFields = [:]) {
        self.body = Array(body.utf8)
        self.status = status
        for field in fields { self.fields[field.name] = field.value }
    }

    /// Returns a complete response with additional members, or other values.
    static func token(_ members: String = "", accessToken: String = "AT", type: String = "Bearer") -> TokenAnswer {
        TokenAnswer(#"{"access_token":"\#(accessToken)","token_type":"\#(type)"\#(members.isEmpty ? "" : ",\(members)")}"#)
    }

    func read(
        _ reader: OAuth2TokenResponseReader = OAuth2TokenResponseReader(requestedScopes: ["asked"]), jitter: Double = 0
    ) throws(OAuth2TokenFailure) -> OAuth2IssuedToken {
        try reader.read(status: status, fields: fields, body: body, arrival: Self.arrival, jitter: jitter)
    }

    /// The reason why there is no token; `nil` if there is one.
    func failure(_ reader: OAuth2TokenResponseReader = OAuth2TokenResponseReader()) -> OAuth2TokenFailure? {
        do {
            _ = try read(reader)
            return nil
        } catch { return error }
    }
}
