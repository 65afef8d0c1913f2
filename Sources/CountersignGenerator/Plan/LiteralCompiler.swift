import CountersignSpec
import Foundation

/// Creates expressions for literal values: defaults and examples.
enum LiteralCompiler {
    static func value(_ text: Located<String>, as type: FieldType) throws -> SwiftExpression {
        switch type {
        case .string, .header, .secret: return .text(SwiftStringLiteral(text.value))
        case .choice: return ".\(try caseName(of: text).member)"
        case .url:
            // Checked with the same initialiser that the runtime calls with this text.
            guard let url = URL(string: text.value), url.scheme != nil, url.host() != nil else {
                throw GenerationProblem(at: text.location, "'\(text.value)' is not an absolute URL")
            }
            return "GeneratedCodeVersion3.url(\(SwiftStringLiteral(text.value)))"
        case .boolean:
            switch text.value {
            case "true": return "true"
            case "false": return "false"
            default: throw GenerationProblem(at: text.location, "'\(text.value)' is neither 'true' nor 'false'")
            }
        case .scopes: return .list(text.value.split(separator: " ").map { .text(SwiftStringLiteral(String($0))) })
        case .texts:
            return .list(
                text.value.split(separator: ",").map { .text(SwiftStringLiteral(String($0).trimmingCharacters(in: .whitespaces))) })
        case .origins:
            throw GenerationProblem(at: text.location, "origins cannot be written in a spec")
        case .requestHandler:
            throw GenerationProblem(at: text.location, "a function cannot be written in a spec")
        }
    }

    /// Returns the case for a value of a closed set.
    static func caseName(of value: Located<String>) throws -> SwiftIdentifier {
        guard let name = ResolvedChoice.caseName(of: value.value).flatMap({ SwiftIdentifier($0) }) else {
            throw GenerationProblem(at: value.location, "no Swift name can be derived from '\(value.value)'")
        }
        return name
    }

    /// Returns the expression for a `Duration`.
    static func duration(_ text: Located<String>) throws -> SwiftExpression {
        guard let milliseconds = text.value.milliseconds else {
            throw GenerationProblem(at: text.location, "'\(text.value)' is not a length of time such as '120s'")
        }
        return duration(milliseconds: milliseconds)
    }

    /// Returns the expression for a `Duration`.
    static func duration(milliseconds: Int) -> SwiftExpression {
        milliseconds.isMultiple(of: 1000)
            ? ".seconds(\(SwiftExpression.number(milliseconds / 1000)))" : ".milliseconds(\(SwiftExpression.number(milliseconds)))"
    }
}
