/// A QR code of some bytes (ISO/IEC 18004), for a camera that reads an address off a screen.
///
/// Byte mode, versions 1 to 40, error correction L or M. The version is the smallest that holds the bytes; M is taken where it costs no
/// larger version. Of the eight masks, the one with the least penalty is taken (section 7.8.3).
///
/// ```swift
/// let code = QRCode(Array(url.absoluteString.utf8))
/// let isDark = code?.modules[0, 0]
/// ```
struct QRCode: Sendable {
    let version: QRVersion
    let level: QRCorrectionLevel
    /// The number of the mask, 0 to 7.
    let mask: Int
    /// The modules, without the quiet zone around them.
    let modules: QRMatrix

    /// The width, in modules, of the light border that belongs to a code (section 5.3.8).
    static let quietZone = 4

    /// Creates a code; `nil` if the bytes are more than version 40 holds: 2,953.
    init?(_ bytes: [UInt8]) {
        guard let version = QRVersion.all.first(where: { $0.capacity(.low) >= bytes.count }) else { return nil }
        self.init(bytes, version: version, level: version.capacity(.medium) >= bytes.count ? .medium : .low)
    }

    /// Creates a code of a given size.
    ///
    /// - Parameters:
    ///   - bytes: No more than the version's capacity.
    ///   - mask: A mask that is taken whatever its penalty; `nil` for the best.
    init?(_ bytes: [UInt8], version: QRVersion, level: QRCorrectionLevel, mask: Int? = nil) {
        guard bytes.count <= version.capacity(level) else { return nil }
        self.version = version
        self.level = level
        var plain = QRMatrix(version: version)
        plain.place(QRCodewords(bytes, version: version, level: level).interleaved)
        let candidates = (mask.map { [$0] } ?? Array(QRMatrix.masks.indices)).map { number in
            (number, plain.masked(number, level: level))
        }
        guard let best = candidates.min(by: { $0.1.penalty < $1.1.penalty }) else { return nil }
        (self.mask, modules) = best
    }
}
