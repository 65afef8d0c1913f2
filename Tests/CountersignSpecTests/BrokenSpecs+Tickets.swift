import CountersignSpec

extension BrokenSpec {
    /// The valid method that presents tickets, with texts replaced.
    fileprivate static func tickets(
        _ code: DiagnosticCode, _ title: String, _ changes: KeyValuePairs<String, String>, says message: String? = nil,
        alongside consequences: [DiagnosticCode] = []
    ) -> BrokenSpec {
        .changed(ValidSpec.tickets, code, title, changes, says: message, alongside: consequences)
    }
}

extension BrokenSpecs {
    static let tickets: [BrokenSpec] = [
        .tickets(
            .signatureWithoutChallenge, "tickets for another scheme",
            ["www-authenticate: Negotiate": "www-authenticate: Digest", "sign: { negotiate:": "sign: { «negotiate»:"],
            says: "'negotiate' answers challenges with its scheme, which 'ticket' lacks; write 'www-authenticate: Negotiate' there"),
        .tickets(
            .missingKey, "tickets that are not the system's",
            [
                "tickets: system": "fields: { name: { type: string, from: \"{principal?}\", summary: A name. } }",
                "sign: { negotiate:": "sign: { «negotiate»:", "{secret}": "{secret}{credential.name}",
            ],
            says: "'negotiate' uses the tickets of the system; write 'tickets: system' under 'credential'",
            alongside: [.optionalReference]),
        .tickets(
            .misplacedKey, "tickets beside fields",
            ["tickets: system": "tickets: system\n  «fields»: { name: { type: string, from: \"{servers}\", summary: A name. } }"],
            says: "'fields' cannot be combined with 'tickets', which the system provides; remove one of them",
            alongside: [.wrongType]),
        .tickets(
            .misplacedKey, "tickets from the first request on", ["tickets: system": "tickets: system\n  «eager»: true"]),
        .tickets(
            .misplacedKey, "steps to tickets",
            ["attach:": "«acquire»:\n  - compute: { other: { join: [a, \"{principal?}\"] } }\nattach:"],
            says: "'acquire' cannot be used with 'tickets', which the system obtains; remove it", alongside: [.unusedCapture]),
        .tickets(.unknownWord, "tickets from elsewhere", ["tickets: system": "tickets: «file»"]),
        .tickets(
            .missingKey, "tickets that no request shows",
            [
                "\nattach:\n  - sign: { negotiate: { service: HTTP, principal: \"{principal?}\", bound: \"{isBound?}\" } }\n  - headers: { X-Client: \"{secret}\" }\n":
                    "\n", "\ncredential:": "\n«credential»:",
            ],
            says: "no request carries the credential; specify its place with 'attach'"),
        .tickets(
            .wrongType, "a binding by a text", ["bound: \"{isBound?}\"": "bound: \"{«principal?»}\""],
            says: "'bound' must be a whole reference to a parameter of type 'boolean'"),
        .tickets(
            .wrongType, "a binding by a word", ["bound: \"{isBound?}\"": "bound: «true»"]),
        .tickets(.exposedSecret, "a service that is a secret", ["service: HTTP": "service: \"{«secret»}\""]),
        .tickets(.unknownKey, "a key that the scheme has not", ["service: HTTP": "service: HTTP, «realm»: LAB"]),
    ]
}
