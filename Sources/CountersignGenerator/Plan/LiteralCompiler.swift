import CountersignSpec
import Foundation

/// Makes expressions of literal values: defaults and examples.
enum LiteralCompiler {
    static func value(_ text: Located<String>, as type: FieldType) throws -> SwiftExpression {
        switch type {
        case .string, .header, .secret: return .text(SwiftStringLiteral(text.value))
        case .url:
            // The runtime makes the same call with the same text.
            guard let url = URL(string: text.value), url.scheme != nil, url.host() != nil else {
                throw GenerationProblem(at: text.location, "'\(text.value)' is not an absolute URL")
            }
            return "GeneratedCodeVersion1.url(\(SwiftStringLiteral(text.value)))"
        case .boolean:
            switch text.value {
            case "true": return "true"
            case "false": return "false"
            default: throw GenerationProblem(at: text.location, "'\(text.value)' is neither 'true' nor 'false'")
            }
        case .integer:
            guard let number = Int(text.value) else {
                throw GenerationProblem(at: text.location, "'\(text.value)' is not a whole number")
            }
            return .number(number)
        case .duration: return try duration(text)
        }
    }

    private static func duration(_ text: Located<String>) throws -> SwiftExpression {
        let digits = text.value.prefix { $0.isASCII && $0.isNumber }
        let seconds: Int64? =
            switch text.value.dropFirst(digits.count) {
            case "ms", "s": 1
            case "m": 60
            case "h": 3600
            case "d": 86400
            default: nil
            }
        guard let count = Int64(digits), let seconds, case (let total, false) = count.multipliedReportingOverflow(by: seconds) else {
            throw GenerationProblem(at: text.location, "'\(text.value)' is not a length of time such as '120s'")
        }
        return text.value.hasSuffix("ms") ? ".milliseconds(\(SwiftExpression.number(total)))" : ".seconds(\(SwiftExpression.number(total)))"
    }
}
