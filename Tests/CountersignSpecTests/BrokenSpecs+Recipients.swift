import CountersignSpec

extension BrokenSpec {
    /// The valid method whose login names a recipient, with texts replaced.
    fileprivate static func recipient(
        _ code: DiagnosticCode, _ title: String, _ changes: KeyValuePairs<String, String>, suggests suggestion: String? = nil,
        says message: String? = nil
    ) -> BrokenSpec {
        .changed(ValidSpec.recipient, code, title, changes, suggests: suggestion, says: message)
    }
}

extension BrokenSpecs {
    /// The valid recipients.
    private static let both = "[\"{login}\", \"{credential.instance}\"]"

    static let recipients: [BrokenSpec] = [
        .recipient(
            .missingKey, "a recipient that a credential of another server names",
            ["  space: servers\n": "", "\"{credential.instance}\"": "\"«{credential.instance}»\""],
            says: "a credential that names its servers is one for all of them; write 'space: servers'"),
        .recipient(
            .contradictorySpace, "a credential for each server that names another one", ["space: servers": "space: «origin»"],
            suggests: "servers"),
        .recipient(
            .contradictorySpace, "several credentials that name servers",
            ["  space: servers": "  «per»: [\"{login}\"]\n  space: servers"]),
        .recipient(
            .missingKey, "no server where a login begins", [both: "[\"«{credential.instance}»\"]"],
            says: "no server can ask for the first credential, which names the others; add a parameter, such as the login server"),
        .recipient(
            .misplacedKey, "the first requested server beside the one that a login names",
            [both: "[«requested», \"{credential.instance}\"]"]),
        .recipient(
            .wrongType, "a secret that names a server",
            [both: "[\"{login}\", \"{credential.instance}\", \"{«credential.token»}\"]"]),
        .recipient(
            .wrongType, "a text that is a URL on this path",
            [
                "instance: { type: url, summary": "instance: { type: string, summary",
                both: "[\"{login}\", \"{«credential.instance»}\"]",
            ]),
        .recipient(.wrongType, "a server with a text behind it", [both: "[\"{login}\", \"«{credential.instance}/api»\"]"]),
        .recipient(
            .unknownReference, "a server in a field that does not exist", [both: "[\"{login}\", \"{«credential.instanc»}\"]"],
            suggests: "credential.instance"),
        .recipient(
            .optionalReference, "a server that may be absent",
            [
                "within: [\"{instances}\"] }": "within: [\"{instances}\"], optional: true }",
                both: "[\"{login}\", \"{«credential.instance»}\"]",
            ], suggests: "credential.instance?"),
        .recipient(
            .needlessMark, "a mark on a server that every login names", [both: "[\"{login}\", \"{«credential.instance?»}\"]"],
            suggests: "credential.instance"),
        .recipient(
            .wrongType, "a server that the application names",
            [
                "instance: { type: url, summary": "instance: { type: url, «from»: \"{login}\", summary",
                "            instance: { json: /instance, type: url, within: [\"{instances}\"] }\n": "",
                "  instances: { type: origins, summary: The servers that a login may name. }\n": "",
            ],
            says:
                "'credential.instance' is under 'for', so a login must name it; capture it in an answer in place of 'from'"),
        .recipient(
            .missingKey, "a server that nothing limits",
            [
                "instance: { json: /instance, type: url, within: [\"{instances}\"] }": "«instance»: { json: /instance, type: url }",
                "  instances: { type: origins, summary: The servers that a login may name. }\n": "",
            ]),
    ]
}
