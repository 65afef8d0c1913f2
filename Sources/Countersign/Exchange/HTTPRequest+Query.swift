internal import HTTPTypes

// The query of a request's target (RFC 3986, section 3.4) as parameters. The requests of an exchange have no fragment.

extension HTTPRequest {
    /// The parameters of the query as they are written, such as `page=2`.
    private var writtenParameters: [Substring] {
        guard let path, let mark = path.utf8.firstIndex(of: UInt8(ascii: "?")) else { return [] }
        return path[path.utf8.index(after: mark)...].split(separator: "&")
    }

    /// The parameters of the query.
    var queryParameters: [FormParameters.Parameter] { writtenParameters.map { FormParameters.Parameter(written: $0) } }

    /// Whether the query has a parameter of this name.
    func hasQueryParameter(named name: String) -> Bool { queryParameters.contains { $0.name == name } }

    /// Appends a parameter to the query.
    mutating func append(_ parameter: FormParameters.Parameter) {
        let target = path ?? "/"
        let mark = !target.contains("?") ? "?" : target.hasSuffix("?") || target.hasSuffix("&") ? "" : "&"
        let name = FormEncoding.encode(parameter.name, space: .percent)
        path = "\(target)\(mark)\(name)=\(FormEncoding.encode(parameter.value, space: .percent))"
    }

    /// Removes parameters from the query. Other parameters are not changed.
    mutating func removeQueryParameters(where shouldRemove: (FormParameters.Parameter) -> Bool) {
        let parameters = writtenParameters
        let kept = parameters.filter { !shouldRemove(FormParameters.Parameter(written: $0)) }
        guard let path, kept.count < parameters.count else { return }
        let start = path.prefix { $0 != "?" }
        self.path = kept.isEmpty ? String(start) : "\(start)?\(kept.joined(separator: "&"))"
    }
}

extension FormParameters.Parameter {
    /// Creates a parameter from its written form. Parts with an invalid escape are used unchanged.
    fileprivate init(written text: Substring) {
        let name = text.prefix { $0 != "=" }
        let value = text.dropFirst(name.count + 1)
        self.init(name: FormEncoding.decode(name) ?? String(name), value: FormEncoding.decode(value) ?? String(value))
    }
}
