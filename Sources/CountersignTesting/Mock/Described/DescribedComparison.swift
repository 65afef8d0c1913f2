import Countersign
import Foundation
import HTTPTypes

/// The comparison of a request with the one that a step describes. It collects the values in the gaps.
struct DescribedComparison {
    /// The result of a comparison.
    enum Result: Sendable {
        /// It is another request.
        case other
        /// It is the request, with these values by slot.
        case same([Int: String])
    }

    let request: MockRequest
    let program: DescribedProgram
    private var values: [Int: String] = [:]
    private var isSame = true

    init(_ request: MockRequest, of program: DescribedProgram) {
        self.request = request
        self.program = program
    }

    /// Compares the request with that of a step.
    static func compare(_ request: MockRequest, with call: DescribedProgram.Call, of program: DescribedProgram) -> Result {
        var comparison = DescribedComparison(request, of: program)
        switch call.request {
        case .http(let call): comparison.compare(call)
        case .token(let call):
            comparison.compare("POST", call.url)
            comparison.compare(call.form, with: request.form)
        case .page(let page):
            comparison.compare("GET", page.url)
            // A page whose query was pushed has only the reference to it.
            if request.queryFields?["request_uri"] == nil { comparison.compare(page.query, with: request.queryFields) }
        case .push(let push, let page):
            comparison.compare("POST", push.url)
            comparison.compare(page.query, with: request.form)
        case .finish(let url): comparison.isSame = request.method == .get && url.pathOfRequest == request.path
        case .document(let document):
            comparison.isSame = request.method == .get && document.places.contains { comparison.isAt($0) }
        }
        return comparison.isSame ? .same(comparison.values) : .other
    }

    private func isAt(_ place: ProgramDocument.Place) -> Bool {
        guard let url = place.address(program.known) else { return false }
        return Origin(url) == Origin(program.base) && url.pathOfRequest == request.path
    }

    // MARK: Requests

    private mutating func compare(_ call: HTTPCall) {
        compare(call.method, call.url)
        guard isSame else { return }
        compare(call.query, with: request.queryFields)
        for header in call.headers {
            guard let name = program.plain(header.name, [:]).flatMap({ HTTPField.Name($0) }) else { continue }
            compare(request.fields[name], with: header.value)
        }
        if let login = call.login, let sent = request.basicCredentials {
            compare(sent.user, with: login.user)
            compare(sent.password, with: login.password)
        }
        switch call.body {
        case nil, .data: break
        case .form(let members): compare(members, with: request.form)
        case .json(let json): JSONTree(request.body).map { compare($0, with: json) } ?? fail()
        case .xml(let xml):
            // Absent values are omitted.
            let found = program.text(xml)?.values(in: String(decoding: request.body, as: UTF8.self), mayBeEmpty: true)
            found.map { note($0) } ?? fail()
        }
    }

    private mutating func compare(_ method: String, _ url: ProgramTemplate) {
        guard request.method.rawValue == method, let found = program.path(url)?.values(in: request.path) else { return fail() }
        note(found.mapValues { $0.removingPercentEncoding ?? $0 })
    }

    private mutating func compare(_ members: NamedList<HTTPCall.Member>, with sent: FormFields?) {
        for member in members {
            guard let name = program.plain(member.name, [:]), name != "*" else { continue }
            compare(sent?[name], with: member.value)
        }
    }

    private mutating func compare(_ sent: JSONTree, with described: JSONTemplate) {
        switch described {
        case .text(let template): compare(sent.text, with: template)
        case .slot, .null: break
        case .number(let number): if sent.text != number { fail() }
        case .flag(let flag): if sent.text != "\(flag)" { fail() }
        case .list(let items):
            guard case .list(let sent) = sent else { return fail() }
            // Items that are absent are not sent, so that the others cannot be told apart.
            if sent.count == items.count { for (sent, item) in zip(sent, items) { compare(sent, with: item) } }
        case .object(let members):
            guard case .object(let sent) = sent else { return fail() }
            for member in members {
                if let value = sent[member.name] {
                    compare(value, with: member.value)
                } else if !member.value.mayBeAbsent(in: program) {
                    fail()
                }
            }
        }
    }

    /// Compares a text of the request with a template.
    ///
    /// - Parameter sent: `nil` if the request does not have it, which is the same if the template has a gap that may be empty.
    mutating func compare(_ sent: String?, with template: ProgramTemplate) {
        guard let described = program.text(template) else { return }
        guard let sent else { return template.mayBeAbsent(in: program) ? () : fail() }
        guard let found = described.values(in: sent) else { return fail() }
        note(found)
    }

    /// The values that were found, if the request is the described one.
    var found: [Int: String]? { isSame ? values : nil }

    private mutating func note(_ found: [Int: String]) { values.merge(found) { first, _ in first } }

    private mutating func fail() { isSame = false }
}

extension ProgramTemplate {
    /// Whether the client may not have all values of the template.
    fileprivate func mayBeAbsent(in program: DescribedProgram) -> Bool {
        slotNumbers.contains { program.program.slots[$0].source != .parameter }
    }
}

extension JSONTemplate {
    fileprivate func mayBeAbsent(in program: DescribedProgram) -> Bool {
        switch self {
        case .text(let template): template.mayBeAbsent(in: program) || program.text(template) == nil
        case .slot: true
        case .number, .flag, .null: false
        case .list(let items): items.allSatisfy { $0.mayBeAbsent(in: program) }
        case .object(let members): members.allSatisfy { $0.value.mayBeAbsent(in: program) }
        }
    }
}
