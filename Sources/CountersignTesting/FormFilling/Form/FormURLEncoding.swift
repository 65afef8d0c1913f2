/// `application/x-www-form-urlencoded` in UTF-8, as the URL standard serializes it.
enum FormURLEncoding {
    static func encode(_ pairs: [(name: String, value: String)]) -> String {
        pairs.map { "\(encode($0.name))=\(encode($0.value))" }.joined(separator: "&")
    }

    private static func encode(_ text: String) -> String {
        var encoded: [UInt8] = []
        for byte in text.utf8WithNetworkLineBreaks {
            switch byte {
            case UInt8(ascii: " "): encoded.append(UInt8(ascii: "+"))
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "*"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
                encoded.append(byte)
            default: encoded += [UInt8(ascii: "%"), hexadecimal(byte >> 4), hexadecimal(byte & 0xF)]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    private static func hexadecimal(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
}

/// `multipart/form-data` (RFC 7578) in UTF-8, as HTML serializes it, for fields other than files.
enum FormMultipartEncoding {
    static func encode(_ pairs: [(name: String, value: String)]) -> (contentType: String, body: String) {
        // The boundary is random, so that no page can choose a value that contains it.
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

extension String {
    /// The bytes of a text in a form submission, where every line break is CR LF.
    var utf8WithNetworkLineBreaks: [UInt8] {
        var bytes: [UInt8] = []
        var previous: UInt8 = 0
        for byte in utf8 {
            switch byte {
            case 0x0D: bytes += [0x0D, 0x0A]
            case 0x0A: if previous != 0x0D { bytes += [0x0D, 0x0A] }
            default: bytes.append(byte)
            }
            previous = byte
        }
        return bytes
    }
}

extension [String] {
    /// The elements without repetitions, in the order of first occurrence.
    var withoutRepetitions: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}
