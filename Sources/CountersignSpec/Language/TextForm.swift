/// The required form of a text, as far as the text alone shows it.
package enum TextForm: String, Sendable, Hashable, CaseIterable {
    /// Text for people to read.
    case prose
    case typeName, memberName, moduleName, loggingPrefix
    /// The stem of an inherited method's file.
    case stem
    /// The name of a field that is declared elsewhere.
    case fieldReference
    /// The name of a case of the method's error type.
    case caseReference
    /// The name of a value as in braces, without a mark.
    case valueName
    case textTemplate
    /// An HTTP method and a URL, which can have references.
    case requestLine
    case status, boolean, duration
    /// A component of a request that is signed (RFC 9421, section 2).
    case component
    /// A whole number from 1 to 100.
    case count
    /// A whole number from 0 to 4: a session answers no more than five challenges to one request.
    case retries
    /// A JSON Pointer (RFC 6901); an empty one is the whole value.
    case pointer
    /// The path of an element by local names, from the outermost to the innermost. It can end with an attribute.
    case elementPath
    /// A token of RFC 9110, such as the name of a cookie or of a header field.
    case token
    /// The name of a header field, or a whole reference to a parameter that has it.
    case fieldName
    case configurationKey
    /// A value of a closed set.
    case choice
    /// The name of a field of a form, which can have references.
    case formName
    /// The end of a URL's scheme, such as `.xcallbackurl`.
    case schemeEnding
    /// The path of a URL.
    case path
    /// A name in a list, such as that of a challenge.
    case label
    /// A value that is read by the type of its field.
    case valueOfField
    /// Any text, including an empty one.
    case anyText

    /// The expected form, for messages and the reference.
    package var expectation: String {
        switch self {
        case .prose: "a text"
        case .typeName: "the name of a type in UpperCamelCase, such as 'LoginError'"
        case .memberName: "a name in lowerCamelCase, such as 'loginURL'"
        case .moduleName: "the name of a module"
        case .loggingPrefix: "a logger label of letters, digits, '.', '-' and '_'"
        case .stem: "the name of an inherited file without '.yaml'"
        case .fieldReference: "the name of a field"
        case .caseReference: "the name of an error case"
        case .valueName: "the name of a value without braces, such as 'project' or 'challenge.scope'"
        case .textTemplate: "a text, which can have {references}"
        case .component:
            "the name of a header field in lower case, '@query-param;name=\"…\"', or one of \(Self.derivedComponents.map { "'\($0)'" }.joined(separator: ", "))"
        case .requestLine: "GET, POST, PUT or DELETE, a space and a URL, such as 'GET {endpoint}'"
        case .status: "an HTTP status from 100 to 599"
        case .boolean: "'true' or 'false'"
        case .count: "a whole number from 1 to 100"
        case .retries: "a whole number from 0 to 4"
        case .pointer: "a JSON Pointer of RFC 6901, such as '/subject/name', or '' for the whole value"
        case .elementPath: "the path of an element or an attribute in XML, such as '/Envelope/Body' or '/Envelope/Body/@id'"
        case .duration: "a duration, such as '250ms', '120s', '5m' or '1h'"
        case .token: "a token of RFC 9110: letters, digits and !#$%&'*+-.^_`|~"
        case .fieldName: "the name of a header field, or a whole {reference} to one"
        case .configurationKey: "a key without white space"
        case .choice: "a value of visible ASCII characters, without white space"
        case .formName: "a name without white space, which can have {references}"
        case .schemeEnding: "the end of a URL scheme: '.', '+' or '-', then lower-case letters, digits, '.', '+' and '-'"
        case .path: "a path: '/', then the characters of a URL path, percent-encoded"
        case .label: "a name of letters, digits, '-' and '_'"
        case .valueOfField: "a value of the field's type"
        case .anyText: "a text, which can be empty"
        }
    }

    /// Whether a text has this form. Checks that need more than the text are made where it is used.
    func accepts(_ text: String) -> Bool {
        let scalars = text.unicodeScalars
        switch self {
        case .typeName: return text.isIdentifier && scalars.first?.properties.isUppercase == true
        case .memberName: return text.isIdentifier && scalars.first?.properties.isLowercase == true
        case .moduleName: return text.isIdentifier
        case .loggingPrefix: return !text.isEmpty && scalars.allSatisfy { $0.isNamePart || $0 == "." || $0 == "-" }
        case .label: return !text.isEmpty && scalars.allSatisfy { $0.isNamePart || $0 == "-" }
        case .status: return text.strictInteger.map((100...599).contains) == true
        case .boolean: return text == "true" || text == "false"
        case .count: return text.strictInteger.map((1...100).contains) == true
        case .retries: return text.strictInteger.map((0...4).contains) == true
        case .pointer:
            // '~' occurs only in '~0' and '~1' (RFC 6901, section 3).
            return (text.isEmpty || text.hasPrefix("/"))
                && text.split(separator: "~", omittingEmptySubsequences: false).dropFirst().allSatisfy {
                    "01".contains($0.first ?? "~")
                }
        case .elementPath:
            let names = text.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
            return text.hasPrefix("/")
                && names.enumerated().allSatisfy { index, name in
                    let isAttribute = index > 0 && index == names.count - 1 && name.hasPrefix("@")
                    let letters = name.dropFirst(isAttribute ? 1 : 0).unicodeScalars
                    return !letters.isEmpty && letters.allSatisfy { $0.isNamePart || $0 == "-" || $0 == "." }
                }
        case .valueName: return text.isReference
        case .duration: return text.milliseconds.map { $0 > 0 } == true
        case .token: return text.isToken
        case .fieldName:
            // The name in the braces is checked with the other references.
            return text.isToken
                || text.hasPrefix("{") && text.hasSuffix("}") && !text.dropFirst().dropLast().contains { "{} ".contains($0) }
        case .choice: return !text.isEmpty && scalars.allSatisfy { (0x21...0x7E).contains($0.value) }
        case .configurationKey, .formName: return !text.isEmpty && !scalars.contains(where: \.properties.isWhitespace)
        case .schemeEnding:
            let marks: Set<Unicode.Scalar> = [".", "+", "-"]
            return scalars.count > 1 && scalars.first.map(marks.contains) == true
                && scalars.allSatisfy { marks.contains($0) || ("a"..."z").contains($0) || ("0"..."9").contains($0) }
        case .path: return text.hasPrefix("/") && URLText.problem(inContinuation: text) == nil && !text.contains("?")
        case .requestLine: return ResolvedProgram.Call.split(text) != nil
        case .component:
            return Self.derivedComponents.contains(text) || text.isToken && text == text.lowercased()
                || text.wholeMatch(of: /@query-param;name="[^"\\\s]+"/) != nil
        case .valueOfField, .anyText: return true
        case .prose, .stem, .fieldReference, .caseReference, .textTemplate:
            return !scalars.allSatisfy(\.properties.isWhitespace)
        }
    }

    /// The code for a text that does not have this form.
    var code: DiagnosticCode {
        switch self {
        case .typeName, .memberName, .moduleName, .label: .invalidName
        default: .invalidValue
        }
    }
}

extension TextForm {
    /// The components that are not header fields (RFC 9421, section 2.2), as far as requests have them.
    static let derivedComponents = [
        "@method", "@target-uri", "@authority", "@scheme", "@request-target", "@path", "@query",
    ]
}
