internal import Countersign

/// The parameters of a request at one of the endpoints, read by the rules of RFC 6749, sections 3.1 and 3.2.
struct OAuth2Parameters: Sendable, RedactedDescription {
    /// Names that are there more than once, which nothing but an error can come of.
    let repeated: Set<String>
    private let values: [String: String]

    /// Takes over the pairs: a parameter without a value is as good as none.
    init(_ fields: FormFields) {
        var values: [String: String] = [:]
        var seen: Set<String> = []
        var repeated: Set<String> = []
        for (name, value) in fields.pairs {
            if !seen.insert(name).inserted { repeated.insert(name) }
            if !value.isEmpty { values[name] = value }
        }
        // RFC 8707, section 2, and RFC 8693, section 2.1, let these two be there several times.
        self.repeated = repeated.subtracting(["resource", "audience"])
        self.values = values
    }

    /// Takes over values, each of which is there once.
    init(_ values: [String: String]) {
        self.values = values
        repeated = []
    }

    /// The value of a parameter that is there once.
    subscript(name: String) -> String? { repeated.contains(name) ? nil : values[name] }

    /// The parameters of a posted form, which has to be one and holds all there is: nothing may stand in the address (section 2.3.1).
    static func posted(by request: MockRequest) throws(OAuth2Refusal) -> OAuth2Parameters {
        guard let form = request.form else { throw OAuth2Refusal(.invalidRequest, "The body is not a form.") }
        guard request.query ?? "" == "" else { throw OAuth2Refusal(.invalidRequest, "Parameters belong in the body.") }
        let parameters = OAuth2Parameters(form)
        guard parameters.repeated.isEmpty else { throw OAuth2Refusal(.invalidRequest, "A parameter is there twice.") }
        return parameters
    }
}
