#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import HTTPTypes

/// The target of a redirect, and its effect on the request (RFC 9110, section 15.4).
///
/// The rules are stricter than a browser's where a credential could leak: never from `https` to `http`, never to a URL with a user
/// name, and to another origin only with the fields of ``fieldsForAnyOrigin``.
///
/// A class, since a struct would take space in the frame of each exchange, most of which are never redirected.
final class Redirect: Sendable {
    /// The new URL, without a fragment.
    let url: URL
    let origin: Origin
    /// The new URL's own fragment, or the one it inherits.
    let fragment: String?
    /// The redirect's status.
    let status: Int

    /// Creates the redirect in a response; `nil` if the response is no redirect, because it has another status code or no
    /// `Location`.
    ///
    /// - Throws: ``CountersignError`` with ``CountersignError/Code/redirectRefused``.
    init?(in response: HTTPResponse, from target: RequestTarget) throws {
        guard Self.statuses.contains(response.status.code) else { return nil }
        let locations = Set(response.headerFields[values: .location])
        guard let location = locations.first else { return nil }
        func refusal(_ detail: String) -> CountersignError {
            CountersignError(.redirectRefused, detail: detail, origin: target.origin, status: response.status.code)
        }
        guard locations.count == 1 else { throw refusal("the redirect names more than one target") }
        guard let url = URL(string: location, relativeTo: target.url)?.absoluteURL else {
            throw refusal("the redirect's target is not a valid URL")
        }
        guard let origin = Origin(url) else { throw refusal("the redirect's target is not an http or https URL") }
        guard url.user == nil, url.password == nil else { throw refusal("the redirect's target contains a user name") }
        guard target.origin.scheme == "http" || origin.scheme == "https" else {
            throw refusal("the redirect leads from https to http, at \(origin)")
        }
        self.url = url
        self.origin = origin
        status = response.status.code
        fragment = url.fragment(percentEncoded: true) ?? target.fragment
    }

    /// Returns the request that follows the redirect.
    ///
    /// - Throws: ``CountersignError`` with ``CountersignError/Code/bodyNotReplayable``.
    func request(after request: SessionRequest, from origin: Origin) throws -> SessionRequest {
        var request = request
        if let method = method(after: request.head.method) {
            request.head.method = method
            request.body = .none
            request.head.headerFields.removeAll { Self.contentFields.contains($0.name) }
        }
        guard request.body.isReplayable else {
            throw CountersignError(
                .bodyNotReplayable, detail: "the server redirects the request, and its body cannot be sent a second time",
                status: status)
        }
        if self.origin != origin {
            request.head.headerFields.removeAll { !Self.isForAnyOrigin($0.name) }
            request.identity = nil
        }
        request.head.url = url
        return request
    }

    /// Returns the new method, or `nil` if method and body are kept.
    private func method(after method: HTTPRequest.Method) -> HTTPRequest.Method? {
        switch (status, method) {
        case (303, .get), (303, .head): nil
        case (303, _): .get
        case (301, .post), (302, .post): .get
        default: nil
        }
    }

    /// Whether a field of the caller may be sent to an origin that the caller did not name.
    static func isForAnyOrigin(_ name: HTTPField.Name) -> Bool { fieldsForAnyOrigin.contains(name) }

    private static let statuses: Set = [301, 302, 303, 307, 308]

    /// The fields that describe a body, and that are removed with it.
    private static let contentFields: Set<HTTPField.Name> = [
        .contentType, .contentLength, .contentEncoding, .contentLanguage, .contentLocation, .contentRange,
        .transferEncoding, .trailer, .expect,
    ]

    /// The caller's fields that may go to an origin that the caller did not name.
    ///
    /// The list names harmless fields instead of secret ones. It is impossible to list all the fields that applications put
    /// credentials into (`Authorization`, `Cookie`, `X-API-Key`, `DPoP`, `X-CSRF-Token`, …), and every field that is missing in
    /// such a list leaks.
    private static let fieldsForAnyOrigin: Set<HTTPField.Name> = [
        .accept, .acceptEncoding, .acceptLanguage, .userAgent, .range,
        .contentType, .contentEncoding, .contentLanguage, .contentLength,
        .ifMatch, .ifNoneMatch, .ifModifiedSince, .ifUnmodifiedSince, .ifRange,
    ]
}

extension HTTPFields {
    /// Whether there is a field of the same name and value, or fields whose combination has that value (RFC 9110, section 5.3).
    func has(_ field: HTTPField) -> Bool { self[values: field.name].contains(field.value) || self[field.name] == field.value }

    fileprivate mutating func removeAll(where shouldRemove: (HTTPField) -> Bool) {
        self = HTTPFields(filter { !shouldRemove($0) })
    }
}
