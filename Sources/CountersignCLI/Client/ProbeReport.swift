import Countersign
import CountersignDynamic
import CountersignSpec
import Foundation
import HTTPTypes

/// The result of a probe.
struct ProbeReport: Encodable {
    struct Match: Encodable {
        let landscape, method, challenge: String
        let says: [String: String]
        /// The number of parts of the response that the challenge examines, with the values that it captures.
        let weight: Int
        /// Whether the landscape comes with the command.
        let isShipped: Bool

        /// Whether the response has the values that the method requires of it.
        let isComplete: Bool

        /// Whether the match is reliable, which it is not if only the status code matches.
        var isCertain: Bool { weight > 1 && isComplete }

        private enum CodingKeys: CodingKey {
            case landscape, method, challenge, says, isCertain
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(landscape, forKey: .landscape)
            try container.encode(method, forKey: .method)
            try container.encode(challenge, forKey: .challenge)
            try container.encode(says, forKey: .says)
            try container.encode(isCertain, forKey: .isCertain)
        }

        /// Returns the challenges of a landscape that a response can be.
        static func all(of landscape: DynamicLandscape, answer: ProbeAnswer, from url: URL) -> [Match] {
            landscape.methods.compactMap { Match($0, of: landscape, answer: answer, from: url) }
        }

        init?(_ method: DynamicMethod, of landscape: DynamicLandscape, answer: ProbeAnswer, from url: URL) {
            guard method.kind != .enrolment, let variant = method.variants.first else { return nil }
            let shown = ShownParameters(of: variant, in: answer, from: url)
            guard
                let found = variant.program.recognition(of: answer.head, body: answer.body, from: url, shown.values)
            else { return nil }
            self.landscape = landscape.name
            self.method = method.name
            challenge = found.challenge
            says = found.says.merging(shown.named) { captured, _ in captured }
            isShipped = ShippedLandscapes.names.contains(landscape.name)
            let pattern = variant.program.challenges.first { $0.name == found.challenge }
            let captures = pattern?.captures ?? []
            weight = (pattern?.weight ?? 0) + captures.count(where: answer.has)
            let example = method.resolved.challenges.first { $0.name.value == found.challenge }?.example
            isComplete =
                captures.allSatisfy { $0.isOptional || $0.fallback != nil || answer.has($0) }
                && (shown.named.isEmpty || shown.resembles(example))
        }
    }

    struct Offer: Encodable {
        let field, scheme: String
        let parameters: [String: String]
    }

    /// The version of the JSON format.
    let version = 1
    let url: String
    let status: Int
    let offers: [Offer]
    let location: String?
    let contentType: String?
    let cookies: [String]
    let matches: [Match]
    /// The landscapes of products that extend one of the matching landscapes, or that have a match of their own.
    let products: [ProbedProduct]
    /// Whether a credential for the server is encrypted on its way, or stays on this machine.
    private let isPrivate: Bool

    private enum CodingKeys: CodingKey {
        case version, url, status, offers, location, contentType, cookies, matches, products
    }

    /// - Parameters:
    ///   - matches: The matching challenges of landscapes, except those of products.
    ///   - products: The landscapes of products.
    init(url: URL, answer: ProbeAnswer, matches: [Match], products: [ProbedProduct] = []) {
        self.url = url.absoluteString
        isPrivate = Origin(url)?.isPrivate ?? false
        status = answer.head.status.code
        offers = AuthenticationChallenge.Field.allCases.flatMap { field in
            answer.offers(in: field).map { Offer(field: field.name.rawName, scheme: $0.scheme, parameters: $0.parameters) }
        }
        location = answer.head.headerFields[.location].map { text in
            URL(string: text, relativeTo: url).map {
                "\(Origin($0.absoluteURL).map { "\($0)" } ?? "")\($0.path(percentEncoded: true))"
            } ?? text
        }
        contentType = answer.head.headerFields[.contentType]
        cookies = answer.head.headerFields[fields: .setCookie].map { String($0.value.prefix { $0 != "=" }) }
        let extended = Set(matches.filter(\.isCertain).map(\.landscape))
        self.products = products.filter { extended.contains($0.base) || $0.isNamed || !$0.matches.isEmpty }
        // The most specific match comes first.
        self.matches = (matches + products.flatMap(\.matches)).sorted {
            ($0.isCertain ? 1 : 0, $0.weight) > ($1.isCertain ? 1 : 0, $1.weight)
        }
    }

    func json() throws -> String { try JSONText.of(self) }

    /// Returns the report as text, part by part.
    func lines() -> [String] {
        var lines = ["\(url) answered with status \(status)."]
        for offer in offers {
            lines.append("  \(offer.field): \(offer.scheme)")
            lines += offer.parameters.sorted { $0.key < $1.key }.map { "    \($0.key) = \($0.value)" }
        }
        if let location { lines.append("  Location: \(location)") }
        if let contentType { lines.append("  Content-Type: \(contentType)") }
        if !cookies.isEmpty { lines.append("  Set-Cookie: \(cookies.joined(separator: ", "))") }
        for match in matches {
            let verb = match.isCertain ? "is" : "may be"
            lines.append("This \(verb) the challenge '\(match.challenge)' of \(match.landscape).\(match.method).")
            lines += match.says.sorted { $0.key < $1.key }.map { "  \($0.key) = \($0.value)" }
        }
        lines += ProbedProduct.lines(about: products)
        let best = matches.filter { $0.isCertain && $0.weight == matches[0].weight }
        if best.count > 1, best.allSatisfy({ $0.isShipped && $0.landscape == best[0].landscape }) {
            lines.append("Each of these methods answers it; they differ in how the user logs in. Next, compare them:")
            lines += best.map { "  countersign explain --landscape \($0.landscape) \($0.method)" }
        } else if best.count > 1 {
            lines += [
                "Which of them the server means is not in the response. To read about one: countersign explain LANDSCAPE.METHOD",
                "If the server has a login of its own: countersign new NAME",
            ]
        } else if let first = best.first, first.isShipped {
            lines.append("Next: countersign explain --landscape \(first.landscape) \(first.method)")
        } else if matches.isEmpty {
            lines.append("The response contains no challenge of a known landscape.")
            if (200..<300).contains(status) {
                lines.append("It may need no login: give a URL that requires one, or another HTTP method with '-X'.")
            } else if HTTPResponse.Status(code: status).isOutage {
                lines.append("The server cannot answer at present: try again later.")
            }
        } else if best.isEmpty {
            lines.append("The response has too little to tell. To read about one: countersign explain LANDSCAPE.METHOD")
        }
        if !isPrivate {
            lines.append("The server does not use TLS. Credentials are sent to such a server only on this machine.")
        }
        return lines
    }
}

extension ChallengePattern {
    /// The number of parts of a response that the pattern requires, without its captures. Absent parts do not count, since almost
    /// every response lacks them.
    fileprivate var weight: Int {
        func count(_ conditions: NamedList<Named>) -> Int { conditions.count { $0.match != .absent } }
        let parts = [!statuses.isEmpty, text != nil, cookies != nil].filter(\.self).count
        let offered = schemes.map { 1 + count($0.parameters) }.reduce(0, +)
        return parts + offered + count(headers) + count(json)
    }
}
