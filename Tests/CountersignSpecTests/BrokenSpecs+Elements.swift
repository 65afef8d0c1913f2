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
            says: "this is no XML: \(message)")
    }
}

extension BrokenSpecs {
    static let elements: [BrokenSpec] = [
        .body(
            "an element that is not closed", "<E><B>{challenge.request}{secret}</E>",
            says: "'</E>' stands where '</B>' was expected"),
        .body("an element that is open at the end", "<E><B/>{challenge.request}{secret}", says: "'<E>' is not closed"),
        .body("an end without a beginning", "</E>{challenge.request}{secret}", says: "'</E>' closes what was not opened"),
        .body("a tag without an end", "<E>{challenge.request}{secret}</E", says: "a '<' has no '>'"),
        .body(
            "a sign that is no tag", "<E>1 < 2{challenge.request}{secret}</E>",
            says: "a '<' has no name behind it; write '&lt;' for the sign itself"),
        .body("two elements", "<E>{challenge.request}{secret}</E><F/>", says: "there is another element behind the first"),
        .body(
            "a text beside the element", "<E>{challenge.request}{secret}</E> and", says: "there is text beside the first element"),
        .body("no element", "{challenge.request}{secret}", says: "there is text beside the first element"),
        .body(
            "a reference in a tag", "<E {secret}>{challenge.request}</E>",
            says: "in a tag, a reference can only stand in an attribute's value, between quotes"),
        .body("an element in an attribute", "<E a='{challenge.request}'>{secret}</E>", says: "an element cannot stand in a tag"),
        .body(
            "a declaration", "<?xml version='1.0'?><E>{challenge.request}{secret}</E>",
            says: "a request has elements and their text, without comments, declarations and document types"),
        .elements(
            .wrongType, "an element that is an attribute",
            ["xml: /Envelope/Body/Fault, type: xml": "xml: /Envelope/Body/@fault, type: «xml»"],
            says: "'xml' is an element; write where it is with 'xml', such as '/Envelope/Body/Response'"),
        .elements(
            .wrongType, "an element from elsewhere", ["xml: /Envelope/Body/Fault, type: xml": "header: Fault, type: «xml»"]),
        .elements(
            .misplacedKey, "an element with a default",
            ["xml: /Envelope/Body/Fault, type: xml": "xml: /Envelope/Body/Fault, type: xml, «default»: none"],
            says: "an element has no default; write 'optional: true'"),
        .elements(
            .wrongType, "an element in a header field",
            ["xml: \"<Envelope><Body>{fault}": "headers: { X-Fault: \"{«fault»}\" }\n      xml: \"<Envelope><Body>{fault}"],
            says: "'fault' is XML, which is no text; it stands in the 'xml' of a request"),
        .elements(
            .invalidValue, "a path that is none", ["/Envelope/Body/@version: \"2\"": "«Envelope/Body»: \"2\""]),
        .elements(
            .notExactlyOne, "two bodies",
            ["xml: \"<Envelope><Body>{fault}": "form: { a: b }\n      «xml»: \"<Envelope><Body>{fault}"],
            says: "a request has one body; take one of them away"),
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
            says: "'Authorization' is for credentials, which stand under 'attach'"),
        .elements(
            .duplicateName, "a field that is announced twice", ["Accept: \"{kind}\"": "Accept: \"{kind}\"\n  «accept»: text/plain"]),
        .elements(
            .duplicateName, "a field that is announced and attached", ["X-Token: \"{c": "«Accept»: \"{c"],
            says: "'announce' writes 'Accept' already"),
        .elements(
            .connectionHeader, "a field of the connection that is announced",
            ["Accept: \"{kind}\"": "Accept: \"{kind}\"\n  «Host»: a"]),
        .elements(
            .unknownReference, "what a challenge says, announced", ["Accept: \"{kind}\"": "Accept: \"{kind}{«challenge.request»}\""]
        ),
    ]
}
