import Countersign
import CountersignDynamic
import CountersignSpec
import Foundation
import HTTPTypes

/// The values of a method's parameters that a response itself shows.
///
/// A challenge such as the prefix `{server}/login` of a redirect needs the value of a parameter, which is unknown before the login is
/// set up. If the redirect goes to `https://login.example/login?to=…`, it can be that of the server `https://login.example`. A
/// parameter that the response does not show has its default, such as the name of the header field that marks a challenge.
struct ShownParameters {
    /// The values by slot, shown or by default; absent for the others.
    let values: [ProgramValue]
    /// The shown values by the names of the parameters.
    let named: [String: String]
    /// The queries of the header fields that the values are from, by the names of the fields.
    private let queries: [HTTPField.Name: Set<String>]

    init(of variant: DynamicMethod.Variant, in answer: ProbeAnswer, from url: URL) {
        let program = variant.program
        var texts: [Int: String] = [:]
        var queries: [HTTPField.Name: Set<String>] = [:]
        for named in program.challenges.flatMap({ Array($0.headers) }) {
            guard case .prefix(let template) = named.match, template.pieces.count == 2,
                case .slot(let slot) = template.pieces[0], case .text(let end) = template.pieces[1], !program.slots[slot].isSecret,
                let name = named.name.text([]).flatMap({ HTTPField.Name($0) }), let field = answer.head.headerFields[name]
            else { continue }
            // A redirect can be relative.
            let text = name == .location ? URL(string: field, relativeTo: url)?.absoluteString ?? field : field
            let path = text.prefix { $0 != "?" && $0 != "#" }
            guard path.hasSuffix(end), path.count > end.count else { continue }
            texts[slot] = String(path.dropLast(end.count))
            queries[name] = Self.queryNames(of: text)
        }
        values = variant.resolved.slots.enumerated().map { slot, declared in
            texts[slot].map { .text($0) } ?? Self.value(ofDefaultFor: declared, among: variant.fields)
        }
        named = Dictionary(uniqueKeysWithValues: texts.map { (program.slots[$0.key].name, $0.value) })
        self.queries = queries
    }

    /// Returns the default of a slot that has the unchanged value of a field; absent if the field has none that is a text or a URL.
    private static func value(ofDefaultFor slot: ResolvedProgram.Slot, among fields: [ResolvedField]) -> ProgramValue {
        guard let pieces = slot.filling?.template?.pieces, pieces.count == 1, case .parameter(let name, let type) = pieces[0],
            let text = fields.first(where: { $0.name.value == name })?.defaultText?.value
        else { return .absent }
        switch type {
        case .string, .header, .choice: return text.isEmpty ? .absent : .text(text)
        case .url: return URL(string: text).map { .url($0) } ?? .absent
        case .secret, .boolean, .scopes, .texts, .origins, .requestHandler: return .absent
        }
    }

    /// Whether the fields have all query items of those in an example of the challenge, and so are more than any redirect to such a
    /// path.
    func resembles(_ example: ResponseExample?) -> Bool {
        guard let example else { return false }
        return queries.allSatisfy { name, items in
            let expected = example.fields.filter { HTTPField.Name($0.name) == name }.map { Self.queryNames(of: $0.value) }
            return expected.contains { !$0.isEmpty && $0.isSubset(of: items) }
        }
    }

    private static func queryNames(of text: String) -> Set<String> {
        Set(URLComponents(string: text)?.queryItems?.map(\.name) ?? [])
    }
}
