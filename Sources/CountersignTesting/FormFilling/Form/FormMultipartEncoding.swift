/// `multipart/form-data` (RFC 7578) in UTF-8, as HTML serializes it, for fields that are no files.
enum FormMultipartEncoding {
    static func encode(_ pairs: [(name: String, value: String)]) -> (contentType: String, body: String) {
        // By chance, so that no page can give a field a value that ends its part.
        let boundary = "----CountersignForm" + (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }.joined()
        let parts = pairs.map { pair in
            let value = String(decoding: pair.value.utf8WithNetworkLineBreaks, as: UTF8.self)
            return "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(quoted(pair.name))\"\r\n\r\n\(value)\r\n"
        }
        return ("multipart/form-data; boundary=\(boundary)", parts.joined() + "--\(boundary)--\r\n")
    }

    private static func quoted(_ name: String) -> String {
        var quoted: [UInt8] = []
        for byte in name.utf8WithNetworkLineBreaks {
            switch byte {
            case 0x0A: quoted += Array("%0A".utf8)
            case 0x0D: quoted += Array("%0D".utf8)
            case UInt8(ascii: "\""): quoted += Array("%22".utf8)
            default: quoted.append(byte)
            }
        }
        return String(decoding: quoted, as: UTF8.self)
    }
}
