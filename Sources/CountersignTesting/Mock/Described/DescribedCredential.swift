import Countersign
import HTTPTypes

/// The credential that a protected request needs.
struct DescribedCredential: Sendable {
    /// The content of a request in a place of the credential.
    private enum Content {
        /// Nothing, and the client would send nothing.
        case nothing
        case valid
        case wrong
    }

    let program: DescribedProgram
    let issues: DescribedIssues
    /// The slots for which a client never has a value.
    let lacking: Set<Int>

    /// Whether a request carries a valid credential.
    ///
    /// Places for absent values are empty, but not all of them. If the credential is only in requests with other HTTP methods, the
    /// request needs none, only what all requests carry, such as a literal text.
    func isValid(in request: MockRequest) -> Bool {
        let attach = program.program.attach
        let placements = attach.filter { $0.requestMethods?.contains(request.method) ?? true }
        let contents = [cookies(of: request), token(of: request)] + placements.map { content(of: $0, request) }
        guard !contents.contains(.wrong) else { return false }
        if contents.contains(.valid) { return true }
        return placements.count < attach.count && !isInUnplacedFields && !placements.contains(where: carriesCredential)
    }

    /// Whether a placement has a field of the credential.
    private func carriesCredential(_ placement: CredentialPlacement) -> Bool {
        switch placement {
        case .header(let name, let value, _), .query(let name, let value, _):
            (name.slotNumbers + value.slotNumbers).contains { program.program.slots[$0].source == .credential }
        default: true
        }
    }

    /// Whether requests carry cookies or a token, which have no placement.
    private var isInUnplacedFields: Bool {
        let credential = program.program.credential
        return credential.isSessionCookies || credential.cookies != nil || credential.token != nil
    }

    private func cookies(of request: MockRequest) -> Content {
        let credential = program.program.credential
        guard credential.isSessionCookies || credential.cookies != nil else { return .nothing }
        return issues.includeLogin(Set(request.cookiePairs)) ? .valid : .wrong
    }

    private func token(of request: MockRequest) -> Content {
        guard program.program.credential.token != nil else { return .nothing }
        let parts = request.fields[.authorization]?.split(separator: " ", maxSplits: 1).map(String.init) ?? []
        guard parts.count == 2, ["bearer", "dpop"].contains(parts[0].lowercased()) else { return .wrong }
        return issues.isValid([program.token.access: parts[1]], asCredential: true) ? .valid : .wrong
    }

    private func content(of placement: CredentialPlacement, _ request: MockRequest) -> Content {
        switch placement {
        case .header(let name, let value, _): return header(name, value, request)
        case .query(let name, let value, _): return query(name, value, request)
        case .json(let name, let value): return json(name, value, request)
        case .form(let name, let value):
            guard let name = program.plain(name, [:]) else { return .nothing }
            return content([request.form?[name]].compactMap(\.self), value, request)
        case .computed(_, let headers, let query):
            let contents =
                headers.map { header($0.name, $0.value, request) } + query.map { self.query($0.name, $0.value, request) }
            return contents.contains(.wrong) ? .wrong : contents.contains(.valid) ? .valid : .nothing
        case .basic(let user, let password):
            guard program.text(user) != nil, program.text(password) != nil else { return .nothing }
            guard let sent = request.basicCredentials else { return .wrong }
            return compare(request) { comparison in
                comparison.compare(sent.user, with: user)
                comparison.compare(sent.password, with: password)
            }
        case .digest(let user, let password): return digest(user, password, request)
        case .signature(let signature):
            guard program.text(signature.keyScope) != nil, program.text(signature.key) != nil else { return .nothing }
            return compare(request) { $0.compare(signature) }
        // The mock does not verify signatures.
        case .messageSignature: return request.has("Signature") && request.has("Signature-Input") ? .valid : .wrong
        case .proof:
            // A token that is not bound to a key needs no proof (RFC 9449, section 7.1).
            let isBound = request.fields[.authorization]?.lowercased().hasPrefix("dpop ") == true
            return isBound && !request.has("DPoP") ? .wrong : .nothing
        case .connection, .negotiate: return .wrong
        }
    }

    private func digest(_ user: ProgramTemplate, _ password: ProgramTemplate, _ request: MockRequest) -> Content {
        guard program.text(user) != nil, program.text(password) != nil else { return .nothing }
        guard let answer = DigestAnswer(request), issues.isKnown(nonce: answer.nonce) else { return .wrong }
        // Only a known password can be verified.
        if let password = program.plain(password, [:]), !answer.isMade(with: password) { return .wrong }
        return compare(request) { $0.compare(answer.user, with: user) }
    }

    private func header(_ name: ProgramTemplate, _ value: ProgramTemplate, _ request: MockRequest) -> Content {
        guard let text = program.plain(name, [:]) else { return namedHeader(name, value, request) }
        guard let name = HTTPField.Name(text) else { return .nothing }
        // Cookies of other origins can be in the same field (RFC 6265, section 5.4).
        return content(name == .cookie ? request.cookiePairs : [request.fields[name]].compactMap(\.self), value, request)
    }

    /// Compares the header field whose name is a part of the credential.
    private func namedHeader(_ name: ProgramTemplate, _ value: ProgramTemplate, _ request: MockRequest) -> Content {
        guard program.text(name) != nil, program.text(value) != nil else { return .nothing }
        let contents = request.fields.map { field in
            compare(request) { comparison in
                comparison.compare(field.name.rawName, with: name)
                comparison.compare(field.value, with: value)
            }
        }
        return contents.contains(.valid) ? .valid : .wrong
    }

    private func query(_ name: ProgramTemplate, _ value: ProgramTemplate, _ request: MockRequest) -> Content {
        guard let name = program.plain(name, [:]) else { return .nothing }
        return content([request.queryFields?[name]].compactMap(\.self), value, request)
    }

    private func json(_ name: ProgramTemplate, _ value: JSONTemplate, _ request: MockRequest) -> Content {
        guard let name = program.plain(name, [:]) else { return .nothing }
        guard let sent = JSONTree(request.body)?["/\(name.replacing("~", with: "~0").replacing("/", with: "~1"))"] else {
            return .wrong
        }
        return compare(request) { $0.compare(sent, with: value) }
    }

    /// Compares texts, of which one is enough, with the described one.
    private func content(_ texts: [String], _ value: ProgramTemplate, _ request: MockRequest) -> Content {
        guard program.text(value) != nil else { return .nothing }
        let contents = texts.map { text in compare(request) { $0.compare(text, with: value) } }
        if contents.contains(.valid) {
            // A literal text is no credential.
            let isLiteral = value.pieces.allSatisfy { if case .text = $0 { true } else { false } }
            return isLiteral ? .nothing : .valid
        }
        return texts.isEmpty && value.slotNumbers.contains(where: lacking.contains) ? .nothing : .wrong
    }

    private func compare(_ request: MockRequest, _ body: (inout DescribedComparison) -> Void) -> Content {
        var comparison = DescribedComparison(request, of: program, lacking: lacking)
        body(&comparison)
        return comparison.found.map { issues.isValid($0, asCredential: true) } == true ? .valid : .wrong
    }
}

extension MockRequest {
    /// The cookies as `name=value`.
    var cookiePairs: [String] { cookies.map { "\($0.name)=\($0.value)" } }

    fileprivate func has(_ name: String) -> Bool { HTTPField.Name(name).map { fields[$0] != nil } ?? false }
}
