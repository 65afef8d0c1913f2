#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import SwiftASN1

/// Parses the responses of certification authorities.
///
/// SwiftASN1's PEM parser requires lines of 64 characters in each block, including those that are skipped here, and no characters
/// after `-----`. Authorities and mail programs use other line lengths and trailing white space, which RFC 7468, section 2,
/// requires parsers to accept. Therefore the blocks are found here, line by line.
struct CertificateBundleReader {
    /// The maximum size of a response in bytes, which suffices for a hundred large certificates in Base64.
    static let maximumSize = 1024 * 1024

    private var certificates: [[UInt8]] = []

    private init() {}

    /// Parses a response within the size limit.
    static func read(_ bytes: [UInt8]) throws(IdentityError) -> [[UInt8]] {
        var reader = CertificateBundleReader()
        do {
            try reader.read(bytes)
        } catch let error as IdentityError {
            throw error
        } catch {
            // SwiftASN1's errors name positions in the code, which do not help callers.
            throw IdentityError(.malformed, detail: "The response does not consist of certificates, or is damaged.")
        }
        guard !reader.certificates.isEmpty else {
            throw IdentityError(.noCertificate, detail: "There is no certificate in the response.")
        }
        return reader.certificates
    }

    private mutating func read(_ bytes: [UInt8]) throws {
        // A message or certificate is a sequence of at least 128 bytes, except for a message without certificates. A text that
        // begins with the digit zero continues with a byte below 128.
        if bytes.first == 0x30, bytes.count > 1, bytes[1] >= 0x80 { return try readBinary(bytes) }
        let lines = bytes.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }.map(Self.trimmed)
        if lines.contains(where: { Self.label(of: $0, "-----BEGIN ") != nil }) { return try readBlocks(lines) }
        if bytes.first == 0x30 { return try readBinary(bytes) }
        guard lines.contains(where: { !$0.isEmpty }) else { return }
        try readBinary(Self.decoded(lines[...]))
    }

    // MARK: Text

    private static let labels: Set<String> = ["CERTIFICATE", "X509 CERTIFICATE", "PKCS7", "CMS"]

    private mutating func readBlocks(_ lines: [ArraySlice<UInt8>]) throws {
        var position = 0
        while position < lines.count {
            let label = Self.label(of: lines[position], "-----BEGIN ")
            position += 1
            guard let label, Self.labels.contains(label) else { continue }
            guard let end = lines[position...].firstIndex(where: { $0.starts(with: "-----".utf8) }) else {
                throw IdentityError(.truncated, detail: "The response ends in the middle of a PEM block.")
            }
            guard Self.label(of: lines[end], "-----END ") == label else { throw UnexpectedStructure() }
            // The kind is determined by the content, since some authorities use the label of certificates for messages.
            try readBinary(Self.decoded(lines[position..<end]))
            position = end + 1
        }
    }

    /// Returns the text of a line between a beginning and five hyphens; `nil` if the line has another form.
    private static func label(of line: ArraySlice<UInt8>, _ beginning: StaticString) -> String? {
        let beginning = "\(beginning)".utf8
        guard line.count >= beginning.count + 5, line.starts(with: beginning), line.suffix(5).elementsEqual("-----".utf8) else {
            return nil
        }
        return String(decoding: line.dropFirst(beginning.count).dropLast(5), as: UTF8.self)
    }

    private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard let first = line.firstIndex(where: { !isSpace($0) }), let last = line.lastIndex(where: { !isSpace($0) }) else {
            return []
        }
        return line[first...last]
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    private static func decoded(_ lines: ArraySlice<ArraySlice<UInt8>>) throws -> [UInt8] {
        guard let data = Data(base64Encoded: Data(lines.joined())) else { throw UnexpectedStructure() }
        return Array(data)
    }

    // MARK: Structures

    /// Parses a certificate or a message.
    private mutating func readBinary(_ bytes: [UInt8]) throws {
        let truncated = IdentityError(.truncated, detail: "A certificate or message ends early, after \(bytes.count) bytes.")
        let root = try BER.parse(whole: bytes, truncated: truncated)
        guard root.identifier == .sequence, case .constructed(let elements) = root.content else { throw UnexpectedStructure() }
        if elements.first(where: { _ in true })?.identifier == .objectIdentifier {
            try readMessage(root)
        } else {
            try append(bytes[...])
        }
    }

    /// Parses signed data (RFC 5652, sections 3 and 5.1).
    private mutating func readMessage(_ root: ASN1Node) throws {
        try BER.sequence(root, identifier: .sequence) { nodes in
            guard try ASN1ObjectIdentifier(berEncoded: &nodes) == ASN1ObjectIdentifier.Archive.signedData else {
                throw IdentityError(.unsupported, detail: "The response is a message other than signed data.")
            }
            try BER.explicitlyTagged(&nodes, tagNumber: 0, tagClass: .contextSpecific) { signedData in
                try BER.sequence(signedData, identifier: .sequence) { nodes in
                    _ = try Int(berEncoded: &nodes)
                    guard nodes.next()?.identifier == .set, nodes.next()?.identifier == .sequence else {
                        throw UnexpectedStructure()
                    }
                    var hasSigners = false
                    while let node = nodes.next() {
                        if node.identifier == ASN1Identifier(tagWithNumber: 0, tagClass: .contextSpecific) { try readSet(node) }
                        hasSigners = node.identifier == .set
                    }
                    // The set of signers is the last element, empty if nothing is signed. If it is missing, the message is
                    // incomplete.
                    guard hasSigners else { throw UnexpectedStructure() }
                }
            }
        }
    }

    /// Parses the certificates of a message (RFC 5652, section 10.2.3). Tagged elements, which are attributes and obsolete forms,
    /// are skipped.
    private mutating func readSet(_ node: ASN1Node) throws {
        guard case .constructed(let elements) = node.content else { throw UnexpectedStructure() }
        for element in elements where element.identifier == .sequence { try append(element.encodedBytes) }
    }

    /// Adds a certificate. It must be DER even within BER, since its signature covers these bytes.
    private mutating func append(_ bytes: ArraySlice<UInt8>) throws {
        guard certificates.count < CertificateChain.maximumCertificates else {
            throw IdentityError(
                .tooLarge, detail: "There are more than \(CertificateChain.maximumCertificates) certificates in the response.")
        }
        try Self.expectCertificate(try DER.parse(bytes))
        certificates.append(Array(bytes))
    }

    /// Checks that a structure is a certificate (RFC 5280, section 4.1) and not a certificate request, which begins similarly.
    ///
    /// Algorithms and extensions are not checked, since unsupported certificates may be among the needed ones.
    private static func expectCertificate(_ node: ASN1Node) throws {
        try DER.sequence(node, identifier: .sequence) { nodes in
            guard let content = nodes.next() else { throw UnexpectedStructure() }
            try DER.sequence(content, identifier: .sequence) { nodes in
                _ = try DER.optionalExplicitlyTagged(&nodes, tagNumber: 0, tagClass: .contextSpecific) { try Int(derEncoded: $0) }
                _ = try ArraySlice<UInt8>(derEncoded: &nodes)
                // The algorithm, the issuer, the validity, the subject, the public key.
                for _ in 0..<5 {
                    guard nodes.next()?.identifier == .sequence else { throw UnexpectedStructure() }
                }
                while nodes.next() != nil {}
            }
            guard nodes.next()?.identifier == .sequence, nodes.next()?.identifier == .bitString else { throw UnexpectedStructure() }
        }
    }
}
