internal import Countersign

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What a server answered: bytes, which often are JSON.
struct DiscoveryAnswer: Sendable {
    private let bytes: [UInt8]
    /// The answer as JSON, if it is that.
    let tree: JSONTree?

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        tree = JSONTree(bytes)
    }

    /// The texts at a JSON Pointer, or at `body`.
    func texts(at pointer: String) -> [String] {
        guard pointer == "body" else { return tree?[pointer]?.texts ?? [] }
        // DER has a zero byte or one that is no UTF-8 soon enough.
        if let text = String(validating: bytes, as: UTF8.self), text.utf8.allSatisfy({ $0 >= 0x20 || (0x09...0x0D).contains($0) }) {
            return [text]
        }
        return [Data(bytes).base64EncodedString()]
    }
}
