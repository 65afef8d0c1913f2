#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Parses points in time in the formats that servers use.
enum Timestamp {
    /// Parses RFC 3339, an HTTP date (RFC 9110, section 5.6.7), or seconds since 1970; `nil` if the text is none of them.
    static func date(from text: String) -> Date? {
        if let seconds = Double(text) { return seconds.isFinite ? Date(timeIntervalSince1970: seconds) : nil }
        // Only RFC 3339 begins with the four digits of a year and a hyphen.
        guard text.utf8.dropFirst(4).first == UInt8(ascii: "-") else { return CookieDate.date(from: text[...]) }
        let text = text.replacing(" ", with: "T").uppercased()
        return [false, true].lazy.compactMap { hasFraction in
            try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: hasFraction))
        }.first
    }
}
