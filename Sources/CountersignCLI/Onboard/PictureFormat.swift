import Foundation

/// The format of a picture, according to a file's first bytes.
enum PictureFormat: Equatable {
    /// A format that the decoder reads.
    case decodable
    /// A format that the decoder may not read, with its name.
    case other(String)

    /// Detects the format of a file; `nil` if it is not a known picture format.
    init?(of content: Data) {
        let start = content.prefix(1024)
        if Self.beginnings.contains(where: { start.starts(with: $0) }) || Self.isWebP(start) {
            self = .decodable
        } else if start.starts(with: "%PDF".utf8) {
            self = .other("a PDF document")
        } else if start.dropFirst(4).starts(with: "ftyp".utf8) {
            self = .other("a HEIC or AVIF picture")
        } else if Self.isSVG(start) {
            self = .other("an SVG drawing")
        } else {
            return nil
        }
    }

    /// The beginnings of the formats that screens are saved in: PNG, JPEG, GIF, BMP, TIFF.
    private static let beginnings: [[UInt8]] = [
        [0x89, 0x50, 0x4E, 0x47], [0xFF, 0xD8, 0xFF], Array("GIF8".utf8), Array("BM".utf8), [0x49, 0x49, 0x2A, 0],
        [0x4D, 0x4D, 0, 0x2A],
    ]

    private static func isWebP(_ start: Data) -> Bool {
        start.starts(with: "RIFF".utf8) && start.dropFirst(8).starts(with: "WEBP".utf8)
    }

    private static func isSVG(_ start: Data) -> Bool {
        let text = String(decoding: start, as: UTF8.self).lowercased()
        return text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }.hasPrefix("<") && text.contains("<svg")
    }
}
