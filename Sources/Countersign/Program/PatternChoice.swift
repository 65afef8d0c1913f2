#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif
package import HTTPTypes

extension [ChallengePattern] {
    /// Returns the index of the pattern that the runtime chooses for a response: the first that matches; `nil` if none does.
    ///
    /// - Parameters:
    ///   - body: The complete body.
    ///   - url: The URL of the request.
    ///   - values: The values by slot.
    ///   - areAnswers: Whether the patterns are those of a method's own request, and not challenges.
    package func index(
        matching response: HTTPResponse, body: [UInt8], from url: URL, _ values: [ProgramValue], areAnswers: Bool
    ) -> Int? {
        index(values, areAnswers: areAnswers, ResponseReading(response, from: url, body: body, judgedBy: CookieJar()))
    }

    /// Returns the index of the pattern that the runtime chooses for the query with which a login page redirects to the
    /// application; `nil` if none matches.
    package func index(matching query: FormParameters, from page: URL, _ values: [ProgramValue]) -> Int? {
        index(values, areAnswers: true, ResponseReading(query: query, from: page))
    }

    private func index(_ values: [ProgramValue], areAnswers: Bool, _ reading: ResponseReading) -> Int? {
        var reading = reading
        return firstIndex { pattern in
            CompiledChallenge(pattern, values, isAnswer: areAnswers)?.matches(&reading) == true
        }
    }
}
