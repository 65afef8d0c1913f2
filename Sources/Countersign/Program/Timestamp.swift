#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A point in time as servers write it.
enum Timestamp {
    /// The moment of a text: RFC 3339, a date of HTTP (RFC 9110, section 5.6.7), or seconds since 1970; `nil` if it is none of them.
    static func date(from text: String) -> Date? {
        if let seconds = Double(text) { return seconds.isFinite ? Date(timeIntervalSince1970: seconds) : nil }
        // The three forms begin differently: this one with the digits of a year and a hyphen.
        guard text.utf8.dropFirst(4).first == UInt8(ascii: "-") else { return CookieDate.date(from: text[...]) }
        let text = text.replacing(" ", with: "T").uppercased()
        return [false, true].lazy.compactMap { hasFraction in
            try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: hasFraction))
        }.first
    }
}
