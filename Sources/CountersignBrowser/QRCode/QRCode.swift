/// A QR code of bytes (ISO/IEC 18004), for example for a camera that scans a URL on a screen.
///
/// It uses byte mode, versions 1 to 40, and error correction level L or M: the smallest version for the bytes, and M unless it
/// requires a larger version. Of the eight masks, the one with the lowest penalty is used (section 7.8.3).
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

    /// The width in modules of the required light border (section 5.3.8).
    static let quietZone = 4

    /// Creates a code; `nil` for more than 2,953 bytes, the capacity of version 40.
    init?(_ bytes: [UInt8]) {
        guard let version = QRVersion.all.first(where: { $0.capacity(.low) >= bytes.count }) else { return nil }
        self.init(bytes, version: version, level: version.capacity(.medium) >= bytes.count ? .medium : .low)
    }

    /// Creates a code of a given version and level; `nil` if the bytes exceed its capacity.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - mask: The mask to use; `nil` for that with the lowest penalty.
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
