internal import Countersign

/// The parameters of a request to an endpoint, by the rules of RFC 6749, sections 3.1 and 3.2.
struct OAuth2Parameters: Sendable, RedactedDescription {
    /// The names that occur more than once, which is an error.
    let repeated: Set<String>
    private let values: [String: String]
    /// The values by name. Of a parameter that may be repeated, it is the last value.
    var all: [String: String] { values.filter { !repeated.contains($0.key) } }

    /// Creates parameters from decoded fields. A parameter with an empty value counts as omitted.
    init(_ fields: FormFields) {
        var values: [String: String] = [:]
        var seen: Set<String> = []
        var repeated: Set<String> = []
        for (name, value) in fields.pairs {
            if !seen.insert(name).inserted { repeated.insert(name) }
            if !value.isEmpty { values[name] = value }
        }
        // RFC 8707, section 2, and RFC 8693, section 2.1, allow these two parameters to be repeated.
        self.repeated = repeated.subtracting(["resource", "audience"])
        self.values = values
    }

    /// Creates parameters from values, none of which is repeated.
    init(_ values: [String: String]) {
        self.values = values
        repeated = []
    }

    /// The value of a parameter; `nil` if it is missing or repeated.
    subscript(name: String) -> String? { repeated.contains(name) ? nil : values[name] }

    /// Returns the parameters of a form body. It throws if the body is no form, a parameter is repeated, or the URL has a query
    /// (section 2.3.1).
    static func posted(by request: MockRequest) throws(OAuth2Refusal) -> OAuth2Parameters {
        guard let form = request.form else { throw OAuth2Refusal(.invalidRequest, "The body is not a form.") }
        guard request.query ?? "" == "" else { throw OAuth2Refusal(.invalidRequest, "The query must be empty.") }
        let parameters = OAuth2Parameters(form)
        guard parameters.repeated.isEmpty else { throw OAuth2Refusal(.invalidRequest, "A parameter occurs more than once.") }
        return parameters
    }
}
