internal import Countersign
internal import CountersignSpec
internal import Foundation

/// The texts that a user gives for the settings of a landscape and the parameters of a method, by name. Several texts for one
/// name are a list.
package struct GivenValues: Sendable {
    package var settings: [String: [String]]
    package var parameters: [String: [String]]

    package init(settings: [String: [String]] = [:], parameters: [String: [String]] = [:]) {
        self.settings = settings
        self.parameters = parameters
    }
}

/// A value of a field of settings or parameters.
enum FieldValue {
    case absent
    case text(String)
    case texts([String])
    case url(URL)
    case origins(ProtectedOrigins)
    case flag(Bool)

    /// The value as text in a template; `nil` if it has none.
    var text: String? {
        switch self {
        case .text(let text): text
        case .url(let url): url.absoluteString
        case .texts(let texts): texts.isEmpty ? nil : texts.joined(separator: ",")
        case .absent, .origins, .flag: nil
        }
    }
}

extension ResolvedField {
    /// Returns the value for given texts.
    ///
    /// - Parameters:
    ///   - kind: The noun for the field in messages: a parameter or a setting.
    ///   - fallback: The value if no text is given.
    func value(of given: [String]?, calledA kind: String, or fallback: () throws -> FieldValue?) throws -> FieldValue {
        if let given { return try value(of: given, calledA: kind) }
        if let value = try fallback() { return value }
        if let text = defaultText?.value { return try value(of: [text], calledA: kind) }
        guard isOptional || type == .requestHandler || type == .texts else {
            throw DynamicProblem.missing(kind: kind, name: name.value, summary: documentation.summary)
        }
        return .absent
    }

    private func value(of given: [String], calledA kind: String) throws -> FieldValue {
        func refuse(_ expectation: String) -> DynamicProblem {
            .invalid(kind: kind, name: name.value, expectation: expectation)
        }
        func single() throws -> String {
            guard given.count == 1 else { throw refuse("a single value") }
            return given[0]
        }
        switch type {
        case .texts: return .texts(given)
        case .scopes: return .texts(given.flatMap { $0.split(separator: " ").map(String.init) })
        case .boolean:
            guard let flag = Bool(try single()) else { throw refuse("'true' or 'false'") }
            return .flag(flag)
        case .url:
            guard let url = URL(string: try single()), url.scheme != nil else { throw refuse("an absolute URL") }
            return .url(url)
        case .origins:
            do {
                return .origins(try ProtectedOrigins(given.map { try Self.server($0, orThrow: refuse) }))
            } catch is CountersignError {
                throw refuse("a list of servers, such as https://api.example")
            }
        case .string, .secret, .header: return .text(try single())
        case .choice:
            let text = try single()
            let values = choices.map(\.value.value)
            guard values.contains(text) else {
                throw refuse("one of \(values.map { "'\($0)'" }.joined(separator: ", "))")
            }
            return .text(text)
        case .requestHandler: throw refuse("a text: only an application can provide a function")
        }
    }

    private static func server(_ text: String, orThrow refuse: (String) -> DynamicProblem) throws -> URL {
        guard let url = URL(string: text), Origin(url) != nil else {
            throw refuse("a list of servers, such as https://api.example")
        }
        return url
    }
}
