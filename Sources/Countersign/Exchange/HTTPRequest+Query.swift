internal import HTTPTypes

// The query of a request's target (RFC 3986, section 3.4) as parameters. The requests of an exchange have no fragment.

extension HTTPRequest {
    /// The parts of the query as they are written, such as `page=2`. An empty part is no parameter.
    private var writtenParts: [Substring] {
        guard let path, let mark = path.utf8.firstIndex(of: UInt8(ascii: "?")) else { return [] }
        return path[path.utf8.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false)
    }

    /// The parameters of the query.
    var queryParameters: [FormParameters.Parameter] {
        writtenParts.filter { !$0.isEmpty }.map { FormParameters.Parameter(written: $0) }
    }

    /// Whether the query has a parameter of this name. A `+` that is written in a name can be a space or itself.
    func hasQueryParameter(named name: String) -> Bool {
        writtenParts.contains { !$0.isEmpty && Self.isParameter($0, named: name) }
    }

    private static func isParameter(_ part: Substring, named name: String) -> Bool {
        if FormParameters.Parameter(written: part).name == name { return true }
        return name.contains("+") && FormParameters.Parameter(written: part.replacing("+", with: "%2B")).name == name
    }

    /// Appends a parameter to the query.
    mutating func append(_ parameter: FormParameters.Parameter) {
        let target = path ?? "/"
        let mark = !target.contains("?") ? "?" : target.hasSuffix("?") || target.hasSuffix("&") ? "" : "&"
        let name = FormEncoding.encode(parameter.name, space: .percent)
        path = "\(target)\(mark)\(name)=\(FormEncoding.encode(parameter.value, space: .percent))"
    }

    /// Removes the parameters of credentials from the query, however they are written, if it has a secret one of them, or any if
    /// none is secret. Other parameters are not changed, such as those of another signature with the same algorithm.
    mutating func removeQueryParameters(of credentials: AttachedParameters) {
        guard !credentials.isEmpty else { return }
        let marks = (credentials.secret.isEmpty ? credentials.all : credentials.secret).map(\.withoutPlus)
        guard queryParameters.contains(where: { marks.contains($0.withoutPlus) }) else { return }
        let removed = credentials.all.map(\.withoutPlus)
        removeQueryParts { removed.contains(FormParameters.Parameter(written: $0).withoutPlus) }
    }

    /// Whether the target contains a secret parameter's value in another place, such as a path or a URL in a parameter.
    ///
    /// Short values are not looked for, since they occur by chance.
    func contains(_ credentials: AttachedParameters) -> Bool {
        let values = credentials.secret.map { $0.withoutPlus.value }.filter { $0.utf8.count >= 8 }
        guard !values.isEmpty, var text = path else { return false }
        // A URL in a parameter of a URL is encoded twice.
        for _ in 0..<3 {
            let plain = text.replacing("+", with: " ")
            if values.contains(where: plain.contains) { return true }
            guard let decoded = FormEncoding.decode(text), decoded != text else { return false }
            text = decoded
        }
        return false
    }

    /// Removes the parameters of these names from the query.
    mutating func removeQueryParameters(named names: [String]) {
        guard !names.isEmpty else { return }
        removeQueryParts { part in names.contains { Self.isParameter(part, named: $0) } }
    }

    /// Removes parameters from the query. The other parts of the query are not changed, even if they are empty.
    private mutating func removeQueryParts(where shouldRemove: (Substring) -> Bool) {
        let parts = writtenParts
        let kept = parts.filter { $0.isEmpty || !shouldRemove($0) }
        guard let path, kept.count < parts.count else { return }
        let start = path.prefix { $0 != "?" }
        self.path = kept.isEmpty ? String(start) : "\(start)?\(kept.joined(separator: "&"))"
    }
}

/// The query parameters that credentials have added to a request.
///
/// Some programs write `+` for a space, and others for itself, so both count as equal in comparisons.
struct AttachedParameters: Sendable {
    private(set) var all: [FormParameters.Parameter] = []
    /// The parameters among them that are secret or belong to one signature alone. The others, such as an algorithm, can be in other requests.
    private(set) var secret: [FormParameters.Parameter] = []

    var isEmpty: Bool { all.isEmpty }

    /// Replaces the parameters of an observer with those of a request.
    ///
    /// - Parameter original: The request without credentials. Its parameters stay the application's, since one of them can have a name
    ///   that only requests of other HTTP methods carry a credential in.
    mutating func note(_ observer: any CredentialObserver, in request: HTTPRequest, addedTo original: HTTPRequest) {
        let (names, secretNames) = (observer.parameterNames, observer.secretParameterNames)
        all.removeAll { names.contains($0.name) }
        secret.removeAll { secretNames.contains($0.name) }
        let own = original.queryParameters
        let parameters = request.queryParameters.filter { !own.contains($0) }
        all += parameters.filter { names.contains($0.name) }
        secret += parameters.filter { secretNames.contains($0.name) }
    }
}

extension FormParameters.Parameter {
    /// Creates a parameter from its written form. Parts with an invalid escape are used unchanged.
    init(written text: Substring) {
        let name = text.prefix { $0 != "=" }
        let value = text.dropFirst(name.count + 1)
        self.init(name: FormEncoding.decode(name) ?? String(name), value: FormEncoding.decode(value) ?? String(value))
    }

    /// The parameter with a space in place of each `+`.
    fileprivate var withoutPlus: FormParameters.Parameter {
        FormParameters.Parameter(name: name.replacing("+", with: " "), value: value.replacing("+", with: " "))
    }
}
