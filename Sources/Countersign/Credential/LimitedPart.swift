internal import HTTPTypes

/// A header field or query parameter of a credential that only requests of some HTTP methods carry, such as a token against cross-site
/// requests.
struct LimitedPart: Sendable, Hashable {
    enum Content: Sendable, Hashable {
        case field(HTTPField)
        case parameter(FormParameters.Parameter)
    }

    private let content: Content
    /// The methods, which are case-sensitive (RFC 9110, section 9.1).
    private let methods: [HTTPRequest.Method]

    init(_ content: Content, of methods: [HTTPRequest.Method]) {
        self.content = content
        self.methods = methods
    }

    /// The header field; `nil` for a query parameter.
    var field: HTTPField? { if case .field(let field) = content { field } else { nil } }

    /// The name of the header field, or of the query parameter after a `?`.
    var place: String {
        switch content {
        case .field(let field): field.name.canonicalName
        case .parameter(let parameter): "?\(parameter.name)"
        }
    }

    /// Whether a request carries the part.
    func isFor(_ request: HTTPRequest) -> Bool { methods.contains(request.method) }

    /// Adds the part to a request if the request carries it.
    func add(to request: inout HTTPRequest) {
        guard isFor(request) else { return }
        switch content {
        case .field(let field): request.headerFields.append(field)
        case .parameter(let parameter): request.append(parameter)
        }
    }
}

extension LimitedPart: RedactedDescription {}
