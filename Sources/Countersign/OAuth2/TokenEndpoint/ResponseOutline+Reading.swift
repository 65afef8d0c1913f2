#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import HTTPTypes

extension ResponseOutline {
    /// Creates an outline of the printable parts of a response.
    init(_ head: HTTPResponse, body: [UInt8], at url: URL) {
        let names = (try? JSONObject(body, unique: []))?.names ?? []
        self.init(
            url: Self.shown(url), status: head.status.code,
            fields: HTTPFields(head.headerFields.filter { Self.shownFields.contains($0.name) }), body: Self.outline(names))
    }

    /// Returns the URL of a response without user name, password, query and fragment.
    private static func shown(_ url: URL) -> URL {
        guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return nowhere }
        parts.user = nil
        parts.password = nil
        parts.query = nil
        parts.fragment = nil
        return parts.url ?? nowhere
    }

    /// The URL in place of one that cannot be parsed.
    private static var nowhere: URL { GeneratedCodeVersion3.url("about:invalid") }

    /// The member names of standards and common servers. Other names are not shown, since they may be secrets.
    private static let knownNames: Set<String> = [
        "access_token", "code", "detail", "details", "error", "error_code", "error_codes", "error_description", "error_uri",
        "errors",
        "exception", "expires_at", "expires_in", "expires_on", "ext_expires_in", "fault", "id_token", "interval",
        "issued_token_type",
        "jti", "message", "not_before", "path", "reason", "refresh_expires_in", "refresh_token", "refresh_token_expires_in",
        "requestId", "resource", "scope", "session_state", "state", "status", "statusCode", "timestamp", "title", "token_type",
        "trace_id", "type",
    ]

    private static func outline(_ names: [String]) -> String {
        let known = names.filter(knownNames.contains)
        return names.isEmpty ? "" : "{\(known.sorted().map { "\"\($0)\":\"\(redacted)\"" }.joined(separator: ","))}"
    }

    private static let shownFields: Set<HTTPField.Name> = [
        .contentType, .contentLength, .contentEncoding, .date, .server, .retryAfter, .cacheControl,
    ]
}

extension RequestFailure {
    /// Creates the failure that the method's errors describe.
    init(_ failure: OAuth2TokenFailure) {
        switch (failure.reason, failure.outline) {
        case (.transport(let error), _):
            switch error.reason {
            case .connectionLost, .malformed: self = .noResponse(error)
            default: self = .network(error)
            }
        case (.server(let error), _): self = .server(error, status: failure.status ?? 0)
        case (.redirect, let outline?), (.status, let outline?): self = .status(outline)
        case (.response(let problem), let outline?): self = .unreadable(outline, problem: problem.summary)
        case (.redirect, nil), (.status, nil), (.response, nil):
            self = .noResponse(TransportError(.malformed, detail: "the response is malformed", requestMayHaveBeenProcessed: true))
        }
    }

    /// A description in one sentence, without secrets.
    var summary: String {
        switch self {
        case .network(let error), .noResponse(let error): "the token endpoint could not be reached: \(error.detail)"
        case .server(let error, let status): "\(error.errorDescription ?? "the authorization server refused") (status \(status))"
        case .status(let outline) where (300..<400).contains(outline.status):
            "the token endpoint redirects (status \(outline.status)), and a form with secrets is not sent to another URL"
        case .status(let outline): "the token endpoint answered with status \(outline.status)"
        case .unreadable(_, let problem): "the token endpoint's response is invalid: \(problem)"
        }
    }

    /// The origin to which the form was sent; `nil` if it is unknown.
    var origin: Origin? {
        switch self {
        case .network(let error), .noResponse(let error): error.origin
        case .server(let error, _): error.origin
        case .status(let outline), .unreadable(let outline, _): Origin(outline.url)
        }
    }

    /// The status of the response; `nil` if there was none.
    var status: Int? {
        switch self {
        case .network, .noResponse: nil
        case .server(_, let status): status
        case .status(let outline), .unreadable(let outline, _): outline.status
        }
    }
}
