import CountersignSpec

extension BrokenSpec {
    /// The valid method that uses XML, with texts replaced.
    fileprivate static func elements(
        _ code: DiagnosticCode, _ title: String, _ changes: KeyValuePairs<String, String>, suggests suggestion: String? = nil,
        says message: String? = nil, alongside consequences: [DiagnosticCode] = []
    ) -> BrokenSpec {
        .changed(ValidSpec.elements, code, title, changes, suggests: suggestion, says: message, alongside: consequences)
    }

    /// The valid method with another body of the first request.
    fileprivate static func body(_ title: String, _ text: String, says message: String) -> BrokenSpec {
        .elements(
            .invalidValue, title,
            ["\"<Envelope><Body>{challenge.request}<Proof>{secret}</Proof></Body></Envelope>\"": "\"«\(text)»\""],
            says: "this is not valid XML: \(message)")
    }
}

extension BrokenSpecs {
    static let elements: [BrokenSpec] = [
        .body(
            "an element that is not closed", "<E><B>{challenge.request}{secret}</E>",
            says: "found '</E>', but expected '</B>'"),
        .body("an element that is open at the end", "<E><B/>{challenge.request}{secret}", says: "'<E>' is not closed"),
        .body("an end without a beginning", "</E>{challenge.request}{secret}", says: "'</E>' has no opening tag"),
        .body("a tag without an end", "<E>{challenge.request}{secret}</E", says: "a '<' has no '>'"),
        .body(
            "a sign that is no tag", "<E>1 < 2{challenge.request}{secret}</E>",
            says: "a '<' is not followed by a name; write '&lt;' for the character"),
        .body("two elements", "<E>{challenge.request}{secret}</E><F/>", says: "there is more than one root element"),
        .body(
            "a text beside the element", "<E>{challenge.request}{secret}</E> and", says: "there is text outside the root element"),
        .body("no element", "{challenge.request}{secret}", says: "there is text outside the root element"),
        .body(
            "a reference in a tag", "<E {secret}>{challenge.request}</E>",
            says: "in a tag, a reference is only allowed in a quoted attribute value"),
        .body(
            "an element in an attribute", "<E a='{challenge.request}'>{secret}</E>",
            says: "an element cannot be inserted into a tag"),
        .body(
            "a declaration", "<?xml version='1.0'?><E>{challenge.request}{secret}</E>",
            says: "comments, declarations and document types are not supported"),
        .elements(
            .wrongType, "an element that is an attribute",
            ["xml: /Envelope/Body/Fault, type: xml": "xml: /Envelope/Body/@fault, type: «xml»"],
            says: "the type 'xml' requires an element; write its path with 'xml', such as '/Envelope/Body/Response'"),
        .elements(
            .wrongType, "an element from elsewhere", ["xml: /Envelope/Body/Fault, type: xml": "header: Fault, type: «xml»"]),
        .elements(
            .misplacedKey, "an element with a default",
            ["xml: /Envelope/Body/Fault, type: xml": "xml: /Envelope/Body/Fault, type: xml, «default»: none"],
            says: "an element has no default; write 'optional: true'"),
        .elements(
            .wrongType, "an element in a header field",
            ["xml: \"<Envelope><Body>{fault}": "headers: { X-Fault: \"{«fault»}\" }\n      xml: \"<Envelope><Body>{fault}"],
            says: "'fault' is XML, not a text; use it in the 'xml' of a request"),
        .elements(
            .invalidValue, "a path that is none", ["/Envelope/Body/@version: \"2\"": "«Envelope/Body»: \"2\""]),
        .elements(
            .notExactlyOne, "two bodies",
            ["xml: \"<Envelope><Body>{fault}": "form: { a: b }\n      «xml»: \"<Envelope><Body>{fault}"],
            says: "a request has only one body; remove one of them"),
        .elements(
            .misplacedKey, "a body of a request without one",
            ["POST {provider}\"\n      xml: \"<Envelope><Body>{fault}": "GET {provider}\"\n      «xml»: \"<Envelope><Body>{fault}"]),
        .elements(
            .neverSucceeds, "answers that are all errors, of a step that always runs",
            [
                "  - when: { fault: present }\n    http": "  - http",
                "xml: \"<Envelope><Body>{fault}": "xml: \"<Envelope><Body>{fault?}", "answers: [{ error": "«answers»: [{ error",
            ], alongside: [.matchesEverything]),
        .elements(.exposedSecret, "a secret that is announced", ["Accept: \"{kind}\"": "Accept: \"{«secret»}\""]),
        .elements(
            .misplacedKey, "a credential that is announced",
            ["Accept: \"{kind}\"": "Accept: \"{kind}\"\n  «Authorization»: Bearer"],
            says: "'Authorization' is for credentials; write it under 'attach'"),
        .elements(
            .duplicateName, "a field that is announced twice", ["Accept: \"{kind}\"": "Accept: \"{kind}\"\n  «accept»: text/plain"]),
        .elements(
            .duplicateName, "a field that is announced and attached", ["X-Token: \"{c": "«Accept»: \"{c"],
            says: "'announce' already sets 'Accept'"),
        .elements(
            .connectionHeader, "a field of the connection that is announced",
            ["Accept: \"{kind}\"": "Accept: \"{kind}\"\n  «Host»: a"]),
        .elements(
            .unknownReference, "what a challenge says, announced", ["Accept: \"{kind}\"": "Accept: \"{kind}{«challenge.request»}\""]
        ),
    ]
}
