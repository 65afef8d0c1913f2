#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The outline of a JSON text, read in one pass without allocation of values: nesting, completeness, and the names of the outermost
/// object.
///
/// Only text that passes this check is decoded. It protects decoders from excessive nesting, and finds repeated names, which
/// dictionaries hide. For text that the decoder accepts, the outline is exact; for other text, only the limits are used.
package struct JSONOutline {
    /// The reason why there is no outline.
    package enum Problem: Error, Sendable {
        /// The text contains a zero byte, which occurs only in UTF-16 or UTF-32.
        case notUTF8
        /// The text exceeds the limits.
        case tooComplex
    }

    /// The limits for JSON texts of servers.
    package struct Limits {
        var depth = 32
        var members = 256
        /// The number of values at all depths. Decoding one takes microseconds, so that a body of lists alone would take half a
        /// minute.
        var values = 50_000

        package init() {}

        /// Limits for JSON texts of the application.
        static let ofApplication: Limits = {
            var limits = Limits()
            limits.depth = 512
            limits.members = .max
            limits.values = .max
            return limits
        }()
    }

    /// The names of the outermost object with their quotes, as in the text.
    package let names: [ArraySlice<UInt8>]
    /// Whether any object has a name twice. Escapes are resolved.
    package let hasRepeatedNames: Bool
    /// Whether all braces, brackets and quotes are closed.
    package let isComplete: Bool

    /// Scans a text in UTF-8.
    package init(_ text: [UInt8], limits: Limits = Limits()) throws(Problem) {
        guard !text.contains(0) else { throw .notUTF8 }
        var names: [ArraySlice<UInt8>] = []
        var hasRepeatedNames = false
        // The names in each open object; `nil` for a list.
        var open: [Set<[UInt8]>?] = []
        var depth: Int { open.count }
        // Each value but the first one of a list or an object follows a comma. An empty list or object counts as two.
        var values = 1
        var start: Int?
        var isEscaped = false
        var expectsName = false
        for (place, byte) in text.enumerated() {
            if let opening = start {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    if expectsName {
                        let name = text[opening...place]
                        if depth == 1 { names.append(name) }
                        if open[depth - 1]?.insert(Self.meaning(of: name)).inserted == false { hasRepeatedNames = true }
                    }
                    expectsName = false
                    start = nil
                    guard names.count <= limits.members else { throw .tooComplex }
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): start = place
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                expectsName = byte == UInt8(ascii: "{")
                open.append(expectsName ? [] : nil)
                values += 1
                guard depth <= limits.depth, values <= limits.values else { throw .tooComplex }
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                _ = open.popLast()
                expectsName = false
            case UInt8(ascii: ","):
                expectsName = open.last.map { $0 != nil } ?? false
                values += 1
                guard values <= limits.values else { throw .tooComplex }
            default: break
            }
        }
        self.names = names
        self.hasRepeatedNames = hasRepeatedNames
        isComplete = open.isEmpty && start == nil
    }

    /// Returns the bytes of a quoted name, with its escapes resolved.
    static func meaning(of name: ArraySlice<UInt8>) -> [UInt8] {
        guard name.contains(UInt8(ascii: "\\")), let text = try? JSONDecoder().decode(String.self, from: Data(name)) else {
            return Array(name.dropFirst().dropLast())
        }
        return Array(text.utf8)
    }
}
