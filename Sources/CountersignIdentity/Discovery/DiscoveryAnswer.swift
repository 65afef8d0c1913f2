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
        let isText = bytes.allSatisfy { (0x20...0x7E).contains($0) || (0x09...0x0D).contains($0) }
        return [isText ? String(decoding: bytes, as: UTF8.self) : Data(bytes).base64EncodedString()]
    }
}
