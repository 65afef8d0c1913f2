package import HTTPTypes

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

extension MethodProgram {
    /// A recognised challenge.
    package struct Recognition: Sendable, Hashable {
        /// Its name in the spec.
        package let challenge: String
        /// The non-secret captured values, by name. The server chose these texts.
        package let says: [String: String]
    }

    /// Returns the first challenge that matches a response, or `nil`.
    ///
    /// - Parameters:
    ///   - body: The part of the body that patterns use.
    ///   - url: The URL of the response.
    ///   - values: The values of the parameters, by slot. Patterns with an absent parameter match nothing.
    package func recognition(
        of response: HTTPResponse, body: [UInt8], from url: URL, _ values: [ProgramValue] = []
    ) -> Recognition? {
        let values = slots.indices.map { $0 < values.count ? values[$0] : .absent }
        var reading = ResponseReading(response, from: url, body: body, judgedBy: CookieJar())
        for challenge in challenges.compactMap({ CompiledChallenge($0, values, isConditional: false) })
        where challenge.matches(&reading) {
            let captured = (try? challenge.values(&reading)) ?? [:]
            let texts = captured.compactMap { slot, value -> (String, String)? in
                guard !slots[slot].isSecret, let text = value.text else { return nil }
                return (slots[slot].name, text)
            }
            return Recognition(challenge: challenge.signature.name, says: Dictionary(texts) { first, _ in first })
        }
        return nil
    }
}
