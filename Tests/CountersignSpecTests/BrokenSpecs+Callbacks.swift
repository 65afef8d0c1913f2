import CountersignSpec

extension BrokenSpec {
    /// The valid method whose page another application can navigate, with a text replaced.
    fileprivate static func callback(
        _ code: DiagnosticCode, _ title: String, _ old: String, _ new: String, suggests suggestion: String? = nil,
        alongside consequences: [DiagnosticCode] = []
    ) -> BrokenSpec {
        .changed(method: ValidSpec.callback, code, title, [old: new], suggests: suggestion, alongside: consequences)
    }
}

extension BrokenSpecs {
    static let callbacks: [BrokenSpec] = [
        .callback(
            .missingKey, "a callback from anywhere",
            "      callback:\n        scheme-ending: .back\n        host: callback\n        path: /set\n        application: com.example.codes\n",
            "      «callback»:\n        scheme-ending: .back\n        host: callback\n        path: /set\n"),
        .callback(.emptyCollection, "a callback that brings nothing", "{ code_value: code, user_value: user }", "«{»}"),
        .callback(.unknownKey, "a slip in a callback", "host: callback", "«hots»: callback", suggests: "host"),
        .callback(.invalidValue, "a scheme where its end belongs", "scheme-ending: .back", "scheme-ending: «back»"),
        .callback(.invalidValue, "a path without its slash", "path: /set", "path: «set»"),
        .callback(.invalidValue, "a path with a query", "path: /set", "path: «/set?a»"),
        .callback(.duplicateName, "two values for one name of the page", "user_value: user", "user_value: «code»"),
        .callback(.invalidValue, "a status that is none", "404: Nobody", "«40»: Nobody"),
        .callback(.wrongShape, "an explanation that says nothing", "404: Nobody asked.", "404: «[»]"),
        .callback(.reservedName, "a label that another parameter has", "[codeParameters", "[«webViewPresenter»"),
        .callback(.duplicateName, "a label twice", "using]", "using, «using»]"),
        .callback(.unknownWord, "an end that nobody handles", "completion: logged", "completion: «ignored»"),
        .callback(.unknownWord, "a page that the mock does not know", "page: passcode", "page: «pin»"),
        .callback(
            .misplacedKey, "a callback of a page that ends at a redirect", "ends-at: \"{doneURL}\"\n      callback:",
            "until: { redirect: \"{doneURL}\", verify: { a: b } }\n      «callback»:",
            alongside: [.missingKey, .unverifiedRedirect]),
    ]
}
