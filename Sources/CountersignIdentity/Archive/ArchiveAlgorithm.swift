internal import SwiftASN1

/// An algorithm identifier with its parameters (RFC 5280, section 4.1.1.2).
struct ArchiveAlgorithm {
    let identifier: ASN1ObjectIdentifier
    let parameters: ASN1Node?

    init(_ node: ASN1Node) throws {
        (identifier, parameters) = try BER.sequence(node, identifier: .sequence) { nodes in
            (try ASN1ObjectIdentifier(berEncoded: &nodes), nodes.next())
        }
    }

    init(_ nodes: inout ASN1NodeCollection.Iterator) throws {
        guard let node = nodes.next() else { throw UnexpectedStructure() }
        try self.init(node)
    }

    /// Parses the parameters as a sequence.
    func parameters<Result>(_ read: (inout ASN1NodeCollection.Iterator) throws -> Result) throws -> Result {
        guard let parameters else { throw UnexpectedStructure() }
        return try BER.sequence(parameters, identifier: .sequence, read)
    }
}
