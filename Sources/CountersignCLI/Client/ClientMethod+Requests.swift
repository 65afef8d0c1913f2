import Countersign
import CountersignDynamic
import CountersignSpec
import HTTPTypes

/// The requests that carry the credential of a method.
extension ClientMethod {
    /// The HTTP methods whose requests get no body for a credential in it (RFC 9110, section 9.3).
    private static let methodsWithoutBody: Set<HTTPRequest.Method> = [.get, .head, .options, .trace]

    /// Whether the body of requests carries the credential or a part of it, so that other requests carry nothing of it.
    var isInBody: Bool { variant.resolved.isInBody }

    /// Whether only the body of requests carries the credential.
    var isOnlyInBody: Bool {
        isInBody && variant.resolved.hasOnlyPlacements && variant.resolved.attach.allSatisfy(\.isInBody)
    }

    /// Returns the reason why a request carries nothing of the credential, with what to do; `nil` if there is none in its HTTP method,
    /// its header fields and its body.
    ///
    /// - Parameter name: The name of the method, for the sentence.
    func reasonForNoCredential(in request: SessionRequest, named name: String) -> String? {
        let method = request.head.method
        let names = ownFieldNames(ofRequestsBy: method)
        if let field = request.head.headerFields.first(where: { names.contains($0.name) }) {
            let words = "The request has a field '\(field.name.rawName)' of its own, and so carries no credential of \(name)"
            return "\(words): leave it out."
        }
        guard isInBody else {
            guard let methods = variant.resolved.requestMethods, !methods.contains(method.rawValue), let first = methods.first
            else { return nil }
            return "Only \(Self.list(methods)) requests carry the credential of \(name): give '-X \(first)'."
        }
        if case .none = request.body.content {
            guard Self.methodsWithoutBody.contains(method) else { return nil }
            return "\(method.rawValue) requests carry no credential of \(name), which is in the body: give '-X POST'."
        }
        let isForm = variant.resolved.attach.contains { if case .form = $0 { true } else { false } }
        let addition = isForm ? "fields to a form" : "members to a JSON object"
        let type = isForm ? "application/x-www-form-urlencoded" : "application/json"
        return """
            The credential of \(name) adds \(addition) in the body, which must not have them: give such a body, with \
            '-H \"Content-Type: \(type)\"', or none.
            """
    }

    /// Returns the names of the header fields in which requests with an HTTP method carry the credential, and which such a request must
    /// not have before.
    private func ownFieldNames(ofRequestsBy method: HTTPRequest.Method) -> Set<HTTPField.Name> {
        switch self.method.kind {
        // Cookies are added to others.
        case .cookies: []
        case .token: [.authorization]
        case .attached, .enrolment: filled.fieldNames(ofRequestsBy: method).subtracting([.cookie])
        }
    }

    /// Returns a sentence about the parts of the credential that the header fields of a request do not have; `nil` if they have all.
    ///
    /// - Parameter method: The HTTP method of the request.
    func partsOutsideFields(ofRequestBy method: HTTPRequest.Method) -> String? {
        let placements = variant.resolved.attach
        let others = placements.filter { placement in
            if case .header(_, _, let methods) = placement { !methods.isEmpty && !methods.contains(method.rawValue) } else { false }
        }
        if let first = others.first?.methods.first {
            let methods = Self.list(Self.unique(others.flatMap(\.methods)))
            return "\(methods) requests carry more header fields; '-X \(first)' prints them"
        }
        let place = placements.lazy.compactMap { placement -> String? in
            guard placement.methods.isEmpty || placement.methods.contains(method.rawValue) else { return nil }
            return switch placement {
            case .query: "in the query of the URL"
            case .computed(_, _, let query): query.isEmpty ? nil : "in the query of the URL"
            case .json, .form: "in the body"
            case .connection: "the client certificate"
            case .header, .basic, .digest, .signature, .messageSignature, .proof, .negotiate: nil
            }
        }.first
        return place.map { "a part of the credential is \($0), and is not printed" }
    }

    /// Returns words as a list, such as `POST, PUT and PATCH`.
    private static func list(_ words: [String]) -> String {
        guard words.count > 1, let last = words.last else { return words.first ?? "" }
        return "\(words.dropLast().joined(separator: ", ")) and \(last)"
    }

    fileprivate static func unique(_ words: [String]) -> [String] {
        var seen: Set<String> = []
        return words.filter { seen.insert($0).inserted }
    }
}

extension ResolvedProgram {
    /// Whether the body of requests carries the credential or a part of it.
    var isInBody: Bool { attach.contains(where: \.isInBody) }

    /// Whether requests carry the credential only as `attach` says, and not also as cookies or a token.
    var hasOnlyPlacements: Bool { credential.cookies == nil && !credential.isSessionCookies && credential.token == nil }

    /// The HTTP methods of the only requests that carry a part of the credential, each once, in the order of the spec; `nil` for
    /// every method.
    var requestMethods: [String]? {
        guard hasOnlyPlacements, !attach.isEmpty, attach.allSatisfy({ !$0.methods.isEmpty }) else { return nil }
        return ClientMethod.unique(attach.flatMap(\.methods))
    }
}

extension Client {
    /// Returns the reason in the HTTP method, the header fields or the body of a request why it carries no credential, with what to do;
    /// `nil` if there is none.
    ///
    /// - Parameter response: The response, which shows whose challenge it is if only some of the methods have a reason.
    func reasonForNoCredential(in request: SessionRequest, answeredBy response: SessionResponse) -> String? {
        let reasons = methods.map { $0.reasonForNoCredential(in: request, named: names(of: [$0])) }
        if let first = reasons.first, reasons.allSatisfy({ $0 != nil }) { return first }
        let answer = ProbeAnswer(head: response.head, body: [])
        for (method, reason) in zip(methods, reasons) where reason != nil {
            if ProbeReport.Match(method.method, of: landscape, answer: answer, from: response.url) != nil { return reason }
        }
        return nil
    }

    /// Warns of each part of the credentials that the header fields of a request do not have.
    func warnOfParts(outside fields: [HTTPField], ofRequestBy method: HTTPRequest.Method, on console: Console) {
        console.clearProgress()
        for part in methods(in: fields).compactMap({ $0.partsOutsideFields(ofRequestBy: method) }) { console.warn(part) }
    }
}
