import CountersignSpec

extension BrokenSpec {
    /// The valid method whose page can be moved on by another application, with a text replaced.
    fileprivate static func callback(
        _ code: DiagnosticCode, _ title: String, _ old: String, _ new: String, suggests suggestion: String? = nil
    ) -> BrokenSpec {
        BrokenSpec(
            code, title, SpecSources(method: ValidSpec.callback.changing(old, to: new)), suggests: suggestion)
    }

    /// The valid method with grants, with a text replaced.
    fileprivate static func grant(_ title: String, _ old: String, _ new: String) -> BrokenSpec {
        BrokenSpec(.misplacedKey, title, SpecSources(method: ValidSpec.grants.changing(old, to: new)))
    }
}

extension BrokenSpecs {
    static let callbacks: [BrokenSpec] = [
        .callback(
            .missingKey, "a callback from anywhere",
            "        callback:\n          scheme-ending: .back\n          host: callback\n          path: /set\n          application: com.example.codes\n",
            "        «callback»:\n          scheme-ending: .back\n          host: callback\n          path: /set\n"),
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
        .grant("labels beside grants", "credential:", "«labels»: [codeParameters]\ncredential:"),
        .grant("a completion beside grants", "credential:", "«completion»: logged\ncredential:"),
        .grant(
            "a callback of a page that ends at a redirect", "          finish:\n",
            """
                      «callback»: { scheme-ending: .b, host: h, path: /p, application: a, query: { a: b } }
                      finish:

            """),
    ]
}
