extension SourceText {
    /// The largest file that is read, in bytes.
    static let maximumSize = 1 << 20

    /// Decodes a file as UTF-8, without a byte order mark, and rejects characters that YAML does not allow.
    ///
    /// - Returns: `nil` if there is a mistake, which is reported.
    static func decode(_ file: SpecFile, into diagnostics: inout DiagnosticCollector) -> SourceText? {
        guard file.bytes.count <= maximumSize else {
            let start = SourceSpan(location: SourceLocation(file: file.path, line: 1, column: 1), length: 1)
            diagnostics.report(
                .fileTooLarge, "the file has \(file.bytes.count) bytes; a spec has at most \(maximumSize)", at: start)
            return nil
        }
        let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let bytes = file.bytes.starts(with: byteOrderMark) ? file.bytes.dropFirst(3) : file.bytes[...]
        // Most files have no mistake. The standard library decodes them at once, also where this module is compiled without
        // optimization, as in a build plugin. What it replaces is not UTF-8, or is the replacement character itself.
        let decoded = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
        if !decoded.contains(where: { $0 == "\u{FFFD}" || !$0.isAllowedInYAML }) {
            return SourceText(file: file.path, scalars: decoded)
        }
        var scalars: [Unicode.Scalar] = []
        var iterator = bytes.makeIterator()
        var parser = Unicode.UTF8.ForwardParser()
        while true {
            switch parser.parseScalar(from: &iterator) {
            case .valid(let encoded):
                let scalar = Unicode.UTF8.decode(encoded)
                guard scalar.isAllowedInYAML else {
                    let code = String(scalar.value, radix: 16, uppercase: true)
                    let text = SourceText(file: file.path, scalars: scalars)
                    diagnostics.report(
                        .invalidCharacter,
                        "the control character U+\(String(repeating: "0", count: max(0, 4 - code.count)))\(code)"
                            + " is not allowed in YAML", at: SourceSpan(location: text.location(at: scalars.count), length: 1))
                    return nil
                }
                scalars.append(scalar)
            case .emptyInput: return SourceText(file: file.path, scalars: scalars)
            case .error:
                let text = SourceText(file: file.path, scalars: scalars)
                diagnostics.report(
                    .invalidUTF8, "the file is not UTF-8 from here on",
                    at: SourceSpan(location: text.location(at: scalars.count), length: 1))
                return nil
            }
        }
    }
}

extension Unicode.Scalar {
    /// The printable characters of YAML 1.2, section 5.1. Surrogates are no scalars.
    fileprivate var isAllowedInYAML: Bool {
        switch value {
        case 0x09, 0x0A, 0x0D, 0x20...0x7E, 0x85, 0xA0...0xFEFE, 0xFF00...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }
}
