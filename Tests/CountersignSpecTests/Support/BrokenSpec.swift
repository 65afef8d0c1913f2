import CountersignSpec
import Testing

/// A landscape with one mistake. Its marks `«…»` enclose the text that the diagnostic must underline.
struct BrokenSpec: Sendable, CustomTestStringConvertible {
    let code: DiagnosticCode
    let title: String
    private let marked: SpecSources
    let suggestion: String?
    /// The message; `nil` for any.
    let message: String?
    /// The codes of further diagnostics that the mistake causes.
    let consequences: [DiagnosticCode]

    init(
        _ code: DiagnosticCode, _ title: String, _ sources: SpecSources, suggests suggestion: String? = nil,
        says message: String? = nil, alongside consequences: [DiagnosticCode] = []
    ) {
        self.code = code
        self.title = title
        marked = sources
        self.suggestion = suggestion
        self.message = message
        self.consequences = consequences
    }

    /// The valid method with a text replaced.
    static func method(
        _ code: DiagnosticCode, _ title: String, _ old: String, _ new: String, suggests suggestion: String? = nil,
        says message: String? = nil, alongside consequences: [DiagnosticCode] = []
    ) -> BrokenSpec {
        BrokenSpec(
            code, title, SpecSources(method: ValidSpec.method.changing(old, to: new)), suggests: suggestion, says: message,
            alongside: consequences)
    }

    /// A valid method of a landscape with settings, with texts replaced.
    static func changed(
        method: String, _ code: DiagnosticCode, _ title: String, _ changes: KeyValuePairs<String, String>,
        suggests suggestion: String? = nil, says message: String? = nil, alongside consequences: [DiagnosticCode] = []
    ) -> BrokenSpec {
        let text = changes.reduce(method) { $0.changing($1.key, to: $1.value) }
        return BrokenSpec(
            code, title, SpecSources(method: text), suggests: suggestion, says: message, alongside: consequences)
    }

    /// The valid method with a line about an authentication scheme in its challenge.
    static func scheme(
        _ code: DiagnosticCode, _ title: String, _ line: String, suggests suggestion: String? = nil
    ) -> BrokenSpec {
        .method(code, title, "status: 401\n", "status: 401\n    \(line)\n", suggests: suggestion)
    }

    /// The valid `landscape.yaml` with a text replaced.
    static func landscape(
        _ code: DiagnosticCode, _ title: String, _ old: String, _ new: String, suggests suggestion: String? = nil,
        says message: String? = nil, alongside consequences: [DiagnosticCode] = []
    ) -> BrokenSpec {
        BrokenSpec(
            code, title, SpecSources(landscape: ValidSpec.landscape.changing(old, to: new)), suggests: suggestion, says: message,
            alongside: consequences)
    }

    var testDescription: String { "\(code.rawValue): \(title)" }

    /// The files without the marks.
    var sources: SpecSources {
        SpecSources(own: marked.own.map(\.withoutMarks), inherited: marked.inherited.map(\.withoutMarks))
    }

    /// The position of the marks: file, line, column and length in Unicode scalars.
    var expectation: (location: CountersignSpec.SourceLocation, length: Int)? {
        for file in marked.own + marked.inherited {
            let text = String(decoding: file.bytes, as: UTF8.self)
            for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                let scalars = Array(line.unicodeScalars)
                guard let start = scalars.firstIndex(of: "«") else { continue }
                let end = scalars.firstIndex(of: "»") ?? start + 2
                let location = CountersignSpec.SourceLocation(file: file.path, line: number + 1, column: start + 1)
                return (location, end - start - 1)
            }
        }
        return nil
    }
}

extension SpecFile {
    fileprivate var withoutMarks: SpecFile {
        // By bytes, since a file need not be UTF-8: the marks are C2 AB and C2 BB.
        var kept: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == 0xC2, index + 1 < bytes.count, bytes[index + 1] == 0xAB || bytes[index + 1] == 0xBB {
                index += 2
            } else {
                kept.append(bytes[index])
                index += 1
            }
        }
        return SpecFile(path: path, bytes: kept)
    }
}

extension String {
    /// Returns the text with one part replaced. The part must exist.
    func changing(_ old: String, to new: String) -> String {
        guard let range = firstRange(of: old) else {
            Issue.record("the text to change was not found: \(old)")
            return self
        }
        return replacingCharacters(in: range, by: new)
    }

    private func replacingCharacters(in range: Range<Index>, by new: String) -> String {
        self[..<range.lowerBound] + new + self[range.upperBound...]
    }
}
