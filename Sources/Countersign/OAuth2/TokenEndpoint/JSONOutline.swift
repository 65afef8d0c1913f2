#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What can be seen of JSON text in one pass, without building anything: how deep it nests, whether it ends, and which names its
/// outermost object has.
///
/// A decoder is given only text that has passed this: one that descends with the text would else be led as deep as a stranger
/// likes, and one that builds dictionaries hides that a name was there twice. For text that the decoder then accepts the outline is
/// exact; of other text nothing is used but the limits.
package struct JSONOutline {
    /// Why there is no outline.
    package enum Problem: Error, Sendable {
        /// A zero byte is in no JSON text but one in UTF-16 or UTF-32, whose outline would be another than that of its bytes.
        case notUTF8
        /// The text exceeds the limits.
        case tooComplex
    }

    /// The limits of what servers send here.
    package struct Limits {
        var depth = 32
        var members = 256

        package init() {}
    }

    /// The names of the outermost object with their quotes, as they stand in the text.
    package let names: [ArraySlice<UInt8>]
    /// Whether an object, however deep, has a name twice; an escape stands for its character.
    package let hasRepeatedNames: Bool
    /// Whether every brace, bracket and quote that opens also closes.
    package let isComplete: Bool

    /// Looks over a text in UTF-8.
    package init(_ text: [UInt8], limits: Limits = Limits()) throws(Problem) {
        guard !text.contains(0) else { throw .notUTF8 }
        var names: [ArraySlice<UInt8>] = []
        var hasRepeatedNames = false
        // The names of the objects that are open; `nil` for a list.
        var open: [Set<[UInt8]>?] = []
        var depth: Int { open.count }
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
                guard depth <= limits.depth else { throw .tooComplex }
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                _ = open.popLast()
                expectsName = false
            case UInt8(ascii: ","): expectsName = open.last.map { $0 != nil } ?? false
            default: break
            }
        }
        self.names = names
        self.hasRepeatedNames = hasRepeatedNames
        isComplete = open.isEmpty && start == nil
    }

    /// The bytes that a name in quotes stands for.
    private static func meaning(of name: ArraySlice<UInt8>) -> [UInt8] {
        guard name.contains(UInt8(ascii: "\\")), let text = try? JSONDecoder().decode(String.self, from: Data(name)) else {
            return Array(name.dropFirst().dropLast())
        }
        return Array(text.utf8)
    }
}
