import Countersign
import Foundation
import HTTPTypes
import Synchronization

/// A transport that shows requests and responses without secrets, and records
/// the header fields of requests that carry the credential. It sends no request to a server
/// whose stored logins are all for other users.
final class ClientWire: HTTPTransport {
    private let transport: any HTTPTransport
    private let logins: [StoredLogins]
    private let show: (@Sendable (String) -> Void)?
    /// Returns the names of the header fields that carry a credential; `nil` until they are set.
    private let names = Mutex<(@Sendable () -> Set<HTTPField.Name>)?>(nil)
    private let last = Mutex<[Origin: [HTTPField]]>([:])

    /// - Parameters:
    ///   - logins: The stored logins, by method.
    ///   - show: Shows a line; `nil` shows nothing.
    init(_ transport: any HTTPTransport, logins: [StoredLogins], show: (@Sendable (String) -> Void)?) {
        self.transport = transport
        self.logins = logins
        self.show = show
    }

    /// Records the header fields with some names from now on.
    ///
    /// - Parameter names: Returns the names of the header fields that carry a credential. It is called for each request, since a
    ///   server can name them in its response to a login.
    func record(_ names: @escaping @Sendable () -> Set<HTTPField.Name>) { self.names.withLock { $0 = names } }

    /// Returns the header fields with the credential that were last sent to an origin, in the order of the request.
    func credential(at origin: Origin) -> [HTTPField] { last.withLock { $0[origin] } ?? [] }

    func send(_ request: SessionRequest) async throws -> SessionResponse {
        if let origin = request.head.url.flatMap({ Origin($0) }) {
            for logins in logins { try logins.check(origin) }
            let carrying = names.withLock { $0 }?() ?? []
            let fields: [HTTPField] = request.head.headerFields.filter { carrying.contains($0.name) }
            if !fields.isEmpty { last.withLock { $0[origin] = fields } }
        }
        if let show { show(Self.text(of: request)) }
        do {
            let response = try await transport.send(request)
            if let show { show(Self.text(of: response.head)) }
            return response
        } catch {
            if let show { show("< \((error as? TransportError)?.description ?? "\(type(of: error))")") }
            throw error
        }
    }

    func shutdown() async throws {
        // The observers, which it asks for the names, refer to the session of this transport.
        names.withLock { $0 = nil }
        try await transport.shutdown()
    }

    /// The header fields whose values are shown. Any other field can contain a secret.
    private static let shownFields: Set<HTTPField.Name> = [
        .accept, .contentLength, .contentType, .date, .server, .retryAfter, .allow, .transferEncoding, .connection,
    ]

    private static func text(of request: SessionRequest) -> String {
        let url = request.head.url
        // Queries are not shown, because they can contain codes and tokens.
        let target = (url.flatMap { Origin($0) }.map { "\($0)" } ?? "") + (url?.path(percentEncoded: true) ?? "")
        let query = url?.query() == nil ? "" : "?…"
        return (["> \(request.head.method.rawValue) \(target)\(query)"] + lines(of: request.head.headerFields, ">"))
            .joined(separator: "\n")
    }

    private static func text(of head: HTTPResponse) -> String {
        (["< \(head.status.code)"] + lines(of: head.headerFields, "<")).joined(separator: "\n")
    }

    private static func lines(of fields: HTTPFields, _ mark: String) -> [String] {
        fields.map { field in
            let value = shownFields.contains(field.name) ? field.value : summary(of: field)
            return "\(mark)   \(field.name.rawName): \(value)"
        }
    }

    /// Returns the part of a field that may be shown: the scheme of a credential or challenge, the name of a cookie, or the
    /// target of a redirect without its query.
    private static func summary(of field: HTTPField) -> String {
        switch field.name {
        case .authorization, .proxyAuthorization, .wwwAuthenticate, .proxyAuthenticate:
            let parts = field.value.split(separator: " ", maxSplits: 1)
            // A value without a space has no scheme and can be a secret.
            return parts.count == 2 && !parts[0].contains("=") ? "\(parts[0]) (redacted)" : "(redacted)"
        case .location:
            guard let url = URL(string: field.value), let origin = Origin(url) else { return "(redacted)" }
            return "\(origin)\(url.path(percentEncoded: true))\(url.query() == nil ? "" : "?…")"
        case .setCookie, .cookie:
            return field.value.contains("=") ? "\(field.value.prefix { $0 != "=" })=… (redacted)" : "(redacted)"
        default: return "(redacted)"
        }
    }
}
