import CountersignSpec

extension BrokenSpec {
    /// The valid method with requests of its own, with a text replaced.
    fileprivate static func calls(
        _ code: DiagnosticCode, _ title: String, _ old: String, _ new: String, suggests suggestion: String? = nil,
        alongside consequences: [DiagnosticCode] = []
    ) -> BrokenSpec {
        .changed(ValidSpec.calls, code, title, [old: new], suggests: suggestion, alongside: consequences)
    }
}

/// Requests of a method's own.
extension BrokenSpecs {
    static let calls =
        capturedAddresses + chosenItems + expiries + callFillings + callTargets + callContents + callAnswers + answerCaptures

    private static let capturedAddresses: [BrokenSpec] = [
        .calls(
            .missingKey, "an address from anywhere",
            "realm: { parameter: realm, type: url, within: [\"{request.url.origin}\", \"{logins}\", \"{mirror?}\"] }",
            "«realm»: { parameter: realm, type: url }"),
        .calls(
            .misplacedKey, "a text that leads somewhere", "scope: { parameter: scope,",
            "scope: { parameter: scope, type: string, «within»: [\"{logins}\"],"),
        .calls(
            .misplacedKey, "a place of no type", "scope: { parameter: scope,",
            "scope: { parameter: scope, «within»: [\"{logins}\"],"),
        .calls(.wrongType, "a text as a place", "\"{logins}\",", "\"{«area»}\","),
        .calls(.wrongType, "a literal place", "\"{logins}\",", "\"«https://login.example»\","),
        .calls(.unknownReference, "a place that a server names", "\"{logins}\",", "\"{«challenge.scope?»}\","),
        .calls(.optionalReference, "a place that may be absent", "{mirror?}", "{«mirror»}", suggests: "mirror?"),
        .calls(.emptyCollection, "no place", "[\"{request.url.origin}\", \"{logins}\", \"{mirror?}\"]", "«[»]"),
        .calls(
            .unknownWord, "a challenge with a duration", "scope: { parameter: scope,",
            "scope: { parameter: scope, type: «duration»,"),
        .calls(
            .notExactlyOne, "two sources of a value", "scope: { parameter: scope,", "scope: { parameter: scope, «json»: /scope,"),
        .calls(.invalidValue, "a default that is no address", "\"{mirror?}\"] }", "\"{mirror?}\"], default: «nowhere» }"),
        .calls(
            .insecureURL, "a default in the clear", "\"{mirror?}\"] }", "\"{mirror?}\"], default: \"«http://a.example/»\" }",
            suggests: "https://a.example/"),
        .calls(
            .invalidValue, "a default with a tab", "scope: { parameter: scope, optional: true",
            "scope: { parameter: scope, default: «\"a\\t\"»", alongside: [.needlessMark]),
        .calls(
            .wrongType, "a value of two types", "scope: { parameter: scope, optional: true }\n",
            "scope: { parameter: scope, optional: true }\n  - name: other\n    status: 403\n    capture: { realm: { header: X-Realm, type: «string» }, scope: { header: X-Scope } }\n"
        ),
    ]

    private static let chosenItems: [BrokenSpec] = [
        .calls(
            .misplacedKey, "a choice of an item without a list", "ticket: { header: X-Ticket }",
            "ticket: { json: /a/0/ticket, «where»: { /a/0/site: b } }"),
        .calls(
            .misplacedKey, "a choice of an item of a header field", "ticket: { header: X-Ticket }",
            "ticket: { header: X-Ticket, «where»: { /a/*/site: b } }"),
        .calls(
            .misplacedKey, "a choice of an item with a pointer without a list", "ticket: { header: X-Ticket }",
            "ticket: { json: [/a/*/ticket, /ticket], «where»: { /a/*/site: b } }"),
        .calls(
            .invalidValue, "a condition on another list", "ticket: { header: X-Ticket }",
            "ticket: { json: /a/*/ticket, where: { «/b/*/site»: b } }"),
        .calls(
            .invalidValue, "a condition on no item", "ticket: { header: X-Ticket }",
            "ticket: { json: /a/*/ticket, where: { «/site»: b } }"),
        .calls(
            .invalidValue, "a condition that is no pointer", "ticket: { header: X-Ticket }",
            "ticket: { json: /a/*/ticket, where: { «site»: b } }"),
        .calls(
            .emptyCollection, "no condition on an item", "ticket: { header: X-Ticket }",
            "ticket: { json: /a/*/ticket, where: «{»} }"),
        .calls(
            .exposedSecret, "a secret that an item is compared with", "ticket: { header: X-Ticket }",
            "ticket: { json: /a/*/ticket, where: { /a/*/site: \"{«key»}\" } }"),
        .calls(
            .optionalReference, "a value of an item that may be absent", "ticket: { header: X-Ticket }",
            "ticket: { json: /a/*/ticket, where: { /a/*/site: \"{«challenge.scope?»}\" } }"),
        .calls(
            .undecidedItem, "a condition on another value of the item", "capture: { ticket: { header: X-Ticket } }",
            "json: { /a/*/site: \"{area}\" }\n          capture: { «ticket»: { json: /a/*/ticket } }"),
        .calls(
            .undecidedItem, "a condition on the outer item", "capture: { ticket: { header: X-Ticket } }",
            "json: { /a/*/site: present }\n          capture: { «ticket»: { json: [/ticket, /a/*/b/*/ticket] } }"),
    ]

    private static let expiries: [BrokenSpec] = [
        .calls(.wrongType, "an expiry after a text", "{credential.lifetime?}", "{«credential.token»}"),
        .calls(
            .wrongType, "an expiry with more around it", "after: \"{credential.lifetime?}\"", "after: \"«{credential.lifetime?}s»\""
        ),
        .calls(
            .optionalReference, "an expiry that may be absent", "{credential.lifetime?}", "{«credential.lifetime»}",
            suggests: "credential.lifetime?"),
        .calls(.unknownReference, "an expiry after a parameter", "{credential.lifetime?}", "{«area»}"),
        .calls(
            .unknownReference, "a slip in an expiry", "{credential.lifetime?}", "{«credential.lifetme»?}",
            suggests: "credential.lifetime"),
        .calls(
            .unknownReference, "a field without its prefix", "Bearer {credential.token}", "Bearer {«token»}",
            suggests: "credential.token"),
        .calls(.notExactlyOne, "an expiry of no kind", "expires: { after: \"{credential.lifetime?}\" }", "«expires»: {}"),
        .calls(
            .unknownKey, "an expiry of a later slice", "{ after: \"{credential.lifetime?}\" }",
            "{ after: \"{credential.lifetime?}\", «idle»: 60s }"),
        .changed(
            ValidSpec.calls, .unattachedField, "a duration that nothing uses",
            ["  expires: { after: \"{credential.lifetime?}\" }\n": "", "    lifetime: { type": "    «lifetime»: { type"]),
        .calls(
            .wrongType, "a duration in a header", "Bearer {credential.token}", "Bearer {credential.token}{«credential.lifetime?»}"),
        .calls(
            .wrongType, "a duration with 'from'", "lifetime: { type: duration,", "lifetime: { type: duration, «from»: \"{area}\",",
            alongside: [.filledTwice, .filledTwice]),
        .calls(
            .wrongType, "a prompt for a duration", "{ fields: { user: { type: string, summary: The user name. } } }",
            "{ fields: { user: { type: string, summary: U. }, lifetime: { type: «string», summary: L. } } }",
            alongside: [.filledTwice, .filledTwice]),
    ]

    private static let callFillings: [BrokenSpec] = [
        .calls(
            .unfilledField, "an accepted answer without a field",
            "- status: 201\n          capture:\n            token: { header: X-Token }\n",
            "- «status»: 201\n          capture:\n"),
        .calls(
            .unfilledField, "an accepted answer without captures", "- { status: [401, 403], error: server }",
            "- { status: [401, 403], error: server }\n        - { «status»: 204 }", alongside: [.optionalReference]),
        .calls(
            .unfilledField, "a field that no step fills", "    user: { type: string",
            "    «other»: { type: string, summary: A text. }\n    user: { type: string"),
        .calls(
            .unfilledField, "a duration that no step fills", "    user: { type: string",
            "    «other»: { type: duration, summary: A time. }\n    user: { type: string"),
        .calls(
            .unfilledField, "a field that a later step fills", "form: { area: \"{area}\" }",
            "form: { area: \"{area}\", token: \"{«credential.token»}\" }"),
        .calls(
            .filledTwice, "an answer with what a prompt fills", "ticket: { header: X-Ticket }",
            "ticket: { header: X-Ticket }, «user»: { header: X-User }"),
        .changed(
            ValidSpec.calls, .filledTwice, "an answer with what 'from' fills",
            ["ticket: { type: string,": "ticket: { type: string, from: \"{area}\",", "capture: { ticket:": "capture: { «ticket»:"]),
        .calls(
            .filledTwice, "two steps that fill a field", "token: { json: [/token",
            "«ticket»: { json: /ticket }\n            token: { json: [/token"),
        .calls(
            .unknownField, "a slip in a field", "ticket: { header: X-Ticket }", "«tiket»: { header: X-Ticket }", suggests: "ticket"),
        .calls(.nothingToResend, "a token that cannot be resent", "then: [acquire]", "then: [«resend»]"),
    ]

    private static let callTargets: [BrokenSpec] = [
        .calls(.invalidValue, "a method that is none", "send: \"GET {challenge.realm}\"", "send: \"«get {challenge.realm}»\""),
        .calls(.invalidValue, "a method of another kind", "send: \"GET {challenge.realm}\"", "send: \"«PATCH {challenge.realm}»\""),
        .calls(.invalidValue, "a method alone", "send: \"GET {challenge.realm}\"", "send: «GET»"),
        .calls(
            .insecureURL, "an address in the clear", "GET {challenge.realm}", "GET «http://a.example/»",
            suggests: "https://a.example/"),
        .calls(.invalidValue, "an address of another kind", "GET {challenge.realm}", "GET «ftp://a.example/»"),
        .calls(.invalidValue, "an address without a host", "GET {challenge.realm}", "GET «token»"),
        .calls(.invalidValue, "a space in an address", "GET {challenge.realm}", "GET «https://a.example/a b»"),
        .calls(.wrongType, "an address in parts", "POST {endpoint}/ticket", "POST «https://a.example/{area}»"),
        .calls(.wrongType, "a text that is no address", "POST {endpoint}/ticket", "POST «{area}»"),
        .calls(.wrongType, "a field that is no address", "GET {challenge.realm}", "GET «{credential.ticket}»"),
        .calls(.wrongType, "a path behind what a server says", "GET {challenge.realm}", "GET «{challenge.realm}/token»"),
        .calls(.invalidValue, "a host that goes on", "POST {endpoint}/ticket", "POST {endpoint}«.example»"),
        .calls(.invalidValue, "a query in an address", "POST {endpoint}/ticket", "POST {endpoint}«/ticket?a=b»"),
        .calls(.wrongType, "origins as an address", "GET {challenge.realm}", "GET {«servers»}"),
        .calls(.exposedSecret, "a secret in an address", "GET {challenge.realm}", "GET {«key»}"),
        .calls(.optionalReference, "an address that may be absent", "GET {challenge.realm}", "GET {«mirror?»}"),
        .calls(.unknownReference, "the request as an address", "GET {challenge.realm}", "GET {«request.url.origin»}"),
    ]

    private static let callContents: [BrokenSpec] = [
        .calls(.exposedSecret, "a secret in a query", "ticket: \"{credential.ticket}\"", "ticket: \"{«key»}\""),
        .calls(
            .optionalReference, "a query that may be absent", "{challenge.scope?}", "{«challenge.scope»}",
            suggests: "challenge.scope?"),
        .calls(
            .needlessMark, "a field that is always there", "{credential.ticket}", "{«credential.ticket?»}",
            suggests: "credential.ticket"),
        .calls(.wrongType, "origins in a form", "area: \"{area}\"", "area: \"{«servers»}\""),
        .calls(.invalidValue, "a line break in a form", "area: \"{area}\"", "area: «\"{area}\\n\"»"),
        .calls(.invalidValue, "a name with a space", "{ area: \"{area}\" }", "{ «the area»: \"{area}\" }"),
        .calls(
            .misplacedKey, "a form that is not sent",
            "POST {endpoint}/ticket\"\n      headers: { Accept: application/json }\n      form",
            "GET {endpoint}/ticket\"\n      headers: { Accept: application/json }\n      «form»"),
        .calls(.connectionHeader, "the host", "Accept:", "«Host»:"),
        .calls(.invalidValue, "a header that is no name", "Accept:", "«A B»:"),
        .calls(
            .duplicateName, "a header twice", "{ Accept: application/json }", "{ Accept: application/json, «accept»: text/plain }"),
        .calls(.duplicateName, "a header that the signature writes", "Accept:", "«authorization»:"),
        .calls(.duplicateName, "a header that the form writes", "Accept:", "«Content-Type»:"),
        .calls(.literalSecret, "a literal password", "password: \"{key}\"", "password: «hunter2»"),
        .calls(.unknownKey, "a key of a later slice", "form: {", "«multipart»: {"),
        .calls(.notExactlyOne, "two bodies", "form: { area: \"{area}\" }", "form: { area: \"{area}\" }\n      «json»: {}"),
        .calls(
            .notExactlyOne, "a step of two kinds",
            "  - prompt: { fields: { user: { type: string, summary: The user name. } } }\n  - http:",
            "  - prompt: { fields: { user: { type: string, summary: The user name. } } }\n    «http»:", alongside: [.unfilledField]),
    ]

    private static let callAnswers: [BrokenSpec] = [
        .calls(
            .missingKey, "a request without answers",
            "  - http:\n      send: \"POST {endpoint}/ticket\"",
            "  - «http»: { send: \"GET {endpoint}\" }\n  - http:\n      send: \"POST {endpoint}/ticket\""),
        .calls(
            .neverSucceeds, "a request that cannot succeed", "attach:",
            "  - http: { send: \"GET {endpoint}\", «answers»: [{ status: 401, error: server }] }\nattach:"),
        .calls(
            .unreachableStep, "an answer after one for the same", "- { status: [401, 403], error: server }",
            "- { status: [401, 403], error: server }\n        - { «status»: 403, error: server }"),
        .calls(
            .unreachableStep, "an answer after one with fewer conditions", "- { status: [401, 403], error: server }",
            "- { headers: { X-A: present }, error: server }\n        - { «status»: 403, headers: { X-B: present, X-A: present }, www-authenticate: Basic, error: server }"
        ),
        .calls(
            .matchesEverything, "an answer that is every response", "- { status: [401, 403], error: server }",
            "- { «error»: server }"),
        .calls(.unknownWord, "an error of another kind", "error: server", "error: «client»"),
        .calls(
            .notExactlyOne, "an error that captures", "- { status: [401, 403], error: server }",
            "- { status: [401, 403], error: server, «capture»: { ticket: { header: X-Ticket } } }"),
        .calls(
            .emptyCollection, "an answer that captures nothing", "capture: { ticket: { header: X-Ticket } }", "capture: «{»}",
            alongside: [.unfilledField]),
        .calls(
            .misplacedKey, "a scheme without a status", "- { status: [401, 403], error: server }",
            "- { headers: { X-A: present }, «www-authenticate»: Basic, error: server }"),
        .calls(.duplicateName, "a status twice", "[401, 403]", "[401, «401»]"),
        .calls(
            .unknownReference, "what is no field of the credential in an answer", "- { status: [401, 403], error: server }",
            "- { status: 401, headers: { X-A: \"{«credential.usre»}\" }, error: server }", suggests: "credential.user"),
        .calls(
            .exposedSecret, "a secret in an answer", "- { status: [401, 403], error: server }",
            "- { status: 401, headers: { X-A: \"{«key»}\" }, error: server }"),
        .calls(
            .unknownKey, "an answer of a later slice", "- { status: [401, 403], error: server }",
            "- { status: 401, «again»: true, error: server }"),
    ]

    private static let answerCaptures: [BrokenSpec] = [
        .calls(
            .wrongType, "a duration in a text", "token: { header: X-Token }", "token: { header: X-Token, type: «duration» }",
            suggests: "string"),
        .calls(
            .wrongType, "a text in a duration", "lifetime: { header: X-Lifetime, type: duration,",
            "«lifetime»: { header: X-Lifetime,"),
        .calls(
            .wrongType, "an address in a secret", "token: { header: X-Token }",
            "token: { header: X-Token, type: «url», within: [\"{logins}\"] }", suggests: "string"),
        .calls(
            .missingKey, "an address from anywhere in an answer", "ticket: { header: X-Ticket }",
            "«ticket»: { header: X-Ticket, type: url }"),
        .calls(
            .misplacedKey, "a duration that leads somewhere", "type: duration, optional: true",
            "type: duration, «within»: [\"{logins}\"], optional: true"),
        .calls(
            .literalSecret, "a default for a secret", "token: { header: X-Token }", "token: { header: X-Token, default: «hunter2» }"
        ),
        .calls(.invalidValue, "a default that is no duration", "default: 60s", "default: «60»"),
        .calls(.invalidValue, "a default of no time", "default: 60s", "default: «0s»"),
        .calls(.optionalDefault, "a default that is optional", "default: 60s", "optional: true, «default»: 60s"),
        .calls(.notExactlyOne, "a capture of two", "token: { header: X-Token }", "token: { header: X-Token, «json»: /token }"),
        .calls(.invalidValue, "a pointer that is none", "[/token, /access_token]", "[/token, «access_token»]"),
        .calls(
            .misplacedKey, "a parameter of no scheme in an answer", "token: { header: X-Token }", "token: { «parameter»: token }"),
        .changed(
            ValidSpec.calls, .unattachedField, "a capture that nothing uses",
            [", ticket: \"{credential.ticket}\" }": " }", "    ticket: { type": "    «ticket»: { type"]),
    ]
}
