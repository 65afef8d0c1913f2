internal import Foundation
internal import HTTPTypes

/// What a service that gives out certificates answers: a JSON object, nothing, or something that comes from elsewhere.
enum EnrollmentAnswer: Sendable {
    case object(JSONMembers, status: HTTPResponse.Status)
    case other(MockResponse)

    /// A refusal, with a sentence for a person.
    static func refusal(_ message: String, status: HTTPResponse.Status = .badRequest) -> EnrollmentAnswer {
        var members = JSONMembers()
        members.set("message", to: message)
        return .object(members, status: status)
    }

    /// The same answer with other members; what is no object stays as it is.
    func changed(_ change: (inout JSONMembers) -> Void) -> EnrollmentAnswer {
        guard case .object(var members, let status) = self else { return self }
        change(&members)
        return .object(members, status: status)
    }

    /// As it goes over the wire.
    var response: MockResponse {
        switch self {
        case .object(let members, let status):
            MockResponse(
                status: status, fields: [.contentType: "application/json", .cacheControl: "no-store"], body: members.text.utf8)
        case .other(let response): response
        }
    }
}

extension MockRequest {
    /// The body as JSON of a type; `nil` if it says that it is something else, was too long, or cannot be read.
    func json<Value: Decodable>(_ type: Value.Type) -> Value? {
        let mediaType = fields[.contentType]?.split(separator: ";").first?.lowercased()
        guard mediaType == "application/json", body.count == bodyLength else { return nil }
        return try? JSONDecoder().decode(type, from: Data(body))
    }
}
