import Countersign
import Foundation
import HTTPTypes

/// The comparison of a request with the one that a step describes. It collects the values in the gaps.
struct DescribedComparison {
    /// The result of a comparison.
    enum Result: Sendable {
        /// It is another request.
        case other
        /// It is the request, with these values by slot, and with this number of described members, such as fields of a form.
        case same([Int: String], members: Int)
    }

    let request: MockRequest
    let program: DescribedProgram
    /// The slots that the client may not have; `nil` for those that a step may not have.
    private let lacking: Set<Int>?
    private var values: [Int: String] = [:]
    private var members = 0
    private var isSame = true

    init(_ request: MockRequest, of program: DescribedProgram, lacking: Set<Int>? = nil) {
        self.request = request
        self.program = program
        self.lacking = lacking
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
            // A browser that can post a form has the query in it; another one opens the URL, without the rest of the form.
            let isPosted = request.method == .post && !page.form.isEmpty
            comparison.compare(isPosted ? "POST" : "GET", page.url)
            if isPosted {
                comparison.compare(page.query, with: request.form)
                comparison.compare(page.form, with: request.form)
            }
            // A page whose query was pushed has only the reference to it.
            if !isPosted, page.push == nil || request.queryFields?["request_uri"] == nil {
                comparison.compare(page.query, with: request.queryFields)
            }
        case .push(let push, let page):
            comparison.compare("POST", push.url)
            comparison.compare(page.query, with: request.form)
        case .finish(let url): comparison.isSame = request.method == .get && url.pathOfRequest == request.path
        case .document(let document):
            comparison.isSame = request.method == .get && document.places.contains { comparison.isAt($0) }
        }
        return comparison.isSame ? .same(comparison.values, members: comparison.members) : .other
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
        // If either is absent, the field is not sent.
        if let login = call.login, program.text(login.user) != nil, program.text(login.password) != nil {
            let sent = request.basicCredentials
            compare(sent?.user, with: login.user)
            compare(sent?.password, with: login.password)
        }
        if let signature = call.signature { compare(signature) }
        switch call.body {
        case nil, .data: break
        case .form(let members): compare(members, with: request.form)
        case .json(let json): JSONTree(request.body).map { compare($0, with: json) } ?? fail()
        case .xml(let xml):
            let found = program.text(xml)?.values(in: String(decoding: request.body, as: UTF8.self), mayBeEmpty: true)
            guard let found else { return fail() }
            // Absent values are omitted.
            let present = found.filter { slot, value in !value.isEmpty || !program.mayBeAbsent(slot) }
            note(present.mapValues(\.unescapedFromMarkup))
        }
    }

    /// Compares the parts of a signature (AWS Signature Version 4) that name its key. The signature itself is not verified.
    mutating func compare(_ signature: SignatureVersion4) {
        guard program.text(signature.keyScope) != nil else { return }
        let isInQuery = signature.lifetimeInQuery != nil
        let start = "AWS4-HMAC-SHA256 Credential="
        let field = request.fields[.authorization].flatMap { $0.hasPrefix(start) ? $0.dropFirst(start.count) : nil }
        let key = isInQuery ? request.queryFields?["X-Amz-Credential"] : field.map { String($0.prefix { $0 != "," }) }
        guard let key else { return fail() }
        compare(key, with: signature.keyScope)
        guard let session = signature.session else { return }
        let name = "X-Amz-Security-Token"
        let sent = isInQuery ? request.queryFields?[name] : HTTPField.Name(name).flatMap { request.fields[$0] }
        compare(sent, with: session)
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

    mutating func compare(_ sent: JSONTree, with described: JSONTemplate) {
        switch described {
        case .text(let template): compare(sent.text, with: template)
        case .slot, .null: members += 1
        case .number(let number): if sent.text.flatMap(Double.init) == Double(number) { members += 1 } else { fail() }
        case .flag(let flag): if sent.text == "\(flag)" { members += 1 } else { fail() }
        case .list(let items):
            guard case .list(let sent) = sent else { return fail() }
            if sent.count == items.count {
                for (sent, item) in zip(sent, items) { compare(sent, with: item) }
            } else if sent.count > items.count || !items.contains(where: { mayBeAbsent($0) }) {
                // Items that are absent are not sent, so that the others cannot be distinguished.
                fail()
            }
        case .object(let members):
            guard case .object(let sent) = sent else { return fail() }
            for member in members {
                guard let name = program.plain(member.name, [:]) else { continue }
                if let value = sent[name] {
                    compare(value, with: member.value)
                } else if !mayBeAbsent(member.value) {
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
        guard let sent else { return mayBeAbsent(template) ? () : fail() }
        guard let found = described.values(in: sent) else { return fail() }
        members += 1
        note(found)
    }

    /// The values that were found, if the request is the described one.
    var found: [Int: String]? { isSame ? values : nil }

    private mutating func note(_ found: [Int: String]) { values.merge(found) { first, _ in first } }

    private mutating func fail() { isSame = false }

    // MARK: Absent values

    /// Whether the client may not have all values of the template.
    func mayBeAbsent(_ template: ProgramTemplate) -> Bool {
        template.slotNumbers.contains { slot in
            lacking.map { $0.contains(slot) } ?? program.mayBeAbsent(slot)
        }
    }

    private func mayBeAbsent(_ json: JSONTemplate) -> Bool {
        switch json {
        case .text(let template): mayBeAbsent(template) || program.text(template) == nil
        case .slot: true
        case .number, .flag, .null: false
        // A list or an object is sent without its absent values.
        case .list, .object: false
        }
    }
}

extension SignatureVersion4 {
    private typealias Piece = ProgramTemplate.Piece

    /// The key and its scope, with any day.
    var keyScope: ProgramTemplate {
        let parts: [[Piece]] = [identifier.pieces, [.computed(0)], region.pieces, service.pieces, [.text("aws4_request")]]
        return ProgramTemplate(Array(parts.joined(separator: [.text("/")])))
    }
}
