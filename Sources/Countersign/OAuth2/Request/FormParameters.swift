/// The parameters of an OAuth request or response: names and values in order, with unique names (RFC 6749, sections 3.1 and 3.2).
///
/// Most values are secrets, so descriptions show only the number of parameters.
package struct FormParameters: Sendable, Hashable {
    /// A name and its value.
    package struct Parameter: Sendable, Hashable {
        package let name: String
        package let value: String
    }

    /// The reason why a text cannot be parsed.
    package enum ParsingError: Error, Sendable, Hashable {
        /// An escape is invalid, or the bytes are not UTF-8.
        case malformed
        /// A name occurs twice.
        case repeated
    }

    /// The parameters in insertion order.
    package private(set) var all: [Parameter] = []

    package init() {}

    /// Creates parameters. Of several with one name, the last is kept.
    package init(_ parameters: KeyValuePairs<String, String>) {
        for (name, value) in parameters { self[name] = value }
    }

    /// Parses a query, a fragment or a body.
    package init(parsing text: some StringProtocol) throws(ParsingError) {
        var names: Set<String> = []
        for piece in text.split(separator: "&") {
            let parts = piece.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = FormEncoding.decode(parts[0]), let value = FormEncoding.decode(parts.count == 2 ? parts[1] : "") else {
                throw .malformed
            }
            guard names.insert(name).inserted else { throw .repeated }
            all.append(Parameter(name: name, value: value))
        }
    }

    /// The value of a name. Setting keeps the name's position; `nil` removes it.
    package subscript(name: String) -> String? {
        get { all.first { $0.name == name }?.value }
        set {
            let place = all.firstIndex { $0.name == name }
            switch (newValue.map { Parameter(name: name, value: $0) }, place) {
            case (let parameter?, let place?): all[place] = parameter
            case (let parameter?, nil): all.append(parameter)
            case (nil, let place?): all.remove(at: place)
            case (nil, nil): break
            }
        }
    }

    /// The value of a name; `nil` also for an empty value (RFC 6749, section 3.1).
    package subscript(nonempty name: String) -> String? {
        self[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The serialised body.
    package var serialized: String {
        all.map { "\(FormEncoding.encode($0.name))=\(FormEncoding.encode($0.value))" }.joined(separator: "&")
    }
}

extension FormParameters: RedactedDescription {
    package var visibleParts: KeyValuePairs<String, String> { ["count": "\(all.count)"] }
}

extension FormParameters.Parameter: RedactedDescription {
    package var visibleParts: KeyValuePairs<String, String> { [:] }
}
