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
    /// Whether every brace, bracket and quote that opens also closes.
    package let isComplete: Bool

    /// Looks over a text in UTF-8.
    package init(_ text: [UInt8], limits: Limits = Limits()) throws(Problem) {
        guard !text.contains(0) else { throw .notUTF8 }
        var names: [ArraySlice<UInt8>] = []
        var depth = 0
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
                    if depth == 1, expectsName { names.append(text[opening...place]) }
                    expectsName = false
                    start = nil
                    guard names.count <= limits.members else { throw .tooComplex }
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): start = place
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                guard depth <= limits.depth else { throw .tooComplex }
                expectsName = depth == 1 && byte == UInt8(ascii: "{")
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ","): expectsName = depth == 1
            default: break
            }
        }
        self.names = names
        isComplete = depth <= 0 && start == nil
    }
}
