import CountersignSpec

extension BrokenSpecs {
    /// Fields of the type `choice`.
    static let choices: [BrokenSpec] = [
        .region(
            .missingKey, "a choice without values", "«region»: { type: choice, example: eu,",
            says: "a field of type 'choice' needs the key 'values'"),
        .region(
            .misplacedKey, "values of a text", "region: { type: string, «values»: { eu: Europe., us: America. }, example: eu,",
            says: "'values' is only valid for fields of type 'choice'"),
        .region(
            .emptyCollection, "a choice of one value", "region: { type: choice, «values»: { eu: Europe. }, example: eu,",
            says: "a choice needs at least two values"),
        .region(
            .emptyCollection, "a choice of one value, with another example",
            "region: { type: choice, «values»: { eu: Europe. }, example: us,"),
        .region(.emptyCollection, "a choice of no value", "region: { type: choice, values: «{»}, example: eu,"),
        .region(.wrongShape, "a list of values", "region: { type: choice, values: «[»eu, us], example: eu,"),
        .region(.wrongShape, "a value without a sentence", "region: { type: choice, values: { eu: Europe., «us»: }, example: eu,"),
        .region(
            .invalidValue, "a value with a blank",
            "region: { type: choice, values: { eu: Europe., \"«north america»\": America. }, example: eu,"),
        .region(
            .invalidValue, "a value with a blank that is the example",
            "region: { type: choice, values: { eu: Europe., \"«north america»\": America. }, example: north america,"),
        .region(
            .invalidValue, "a value to omit", "region: { type: choice, values: { eu: Europe., us: «omitted» }, example: eu,",
            says: "only an inherited value can be omitted; write a sentence about 'us'"),
        .region(
            .invalidName, "a value without a letter",
            "region: { type: choice, values: { eu: Europe., \"«*»\": All. }, example: eu,",
            says: "no Swift name can be derived from '*'; a value needs a letter or a digit"),
        .region(
            .duplicateName, "two values with one name in Swift",
            "region: { type: choice, values: { north-america: One., «north_america»: Two. }, example: north_america,",
            says: "'north_america' and 'north-america' have the same Swift name 'northAmerica'"),
        .region(
            .unknownWord, "an example that is not one of the values",
            "region: { type: choice, values: { europe: Europe., america: America. }, example: «europa»,", suggests: "europe",
            says: "'europa' is not one of the values"),
        .region(
            .unknownWord, "a default that is near none of the values",
            "region: { type: choice, values: { europe: Europe., america: America. }, default: «mars»,",
            says: "'mars' is not one of the values; there are 'europe', 'america'"),
        .changed(
            method: ValidSpec.method, .reservedName, "a choice whose type would hide one of Swift",
            [
                "  headerName: {":
                    "  «error»: { type: choice, values: { all: All., none: None. }, default: all, summary: The errors. }\n  headerName: {"
            ], says: "the generated type 'Error' would hide a type that generated code needs"),
        .changed(
            method: ValidSpec.method, .collidingTypeName, "a choice with the name of the method's errors",
            [
                "  headerName: {":
                    "  «webError»: { type: choice, values: { all: All., none: None. }, default: all, summary: E. }\n  headerName: {"
            ]),
        .changed(
            method: ValidSpec.method, .unknownWord, "a value derived from nothing that is one of the values",
            ["headerName: {": "kind: { type: choice, values: { alpha: A., beta: B. }, from: «zz», summary: K. }\n  headerName: {"],
            says: "'zz' is not one of the values; there are 'alpha', 'beta'"),
        .changed(
            method: ValidSpec.method, .wrongType, "a value derived from a text",
            [
                "headerName: {":
                    "kind: { type: choice, values: { a: A., b: B. }, from: \"{«settings.region»}\", summary: K. }\n  headerName: {"
            ], says: "'kind' must be a literal or a whole reference of type 'choice'"),
        BrokenSpec(
            .wrongType, "a value derived from a setting with other values",
            SpecSources(
                landscape: ValidSpec.landscape.changing(
                    region, to: "region: { type: choice, values: { a: A., b: B., c: C. }, example: a,"),
                method: ValidSpec.method.changing(
                    "headerName: {",
                    to: """
                        kind: { type: choice, values: { a: A., b: B. }, from: "{«settings.region»}", summary: K. }
                          headerName: {
                        """)),
            says: "'region' can be 'c', which is not one of the values of 'kind'"),
        .changed(
            ValidSpec.steps, .wrongType, "a question about a choice",
            [
                "user: { type: string, optional: true": "user: { type: choice, values: { a: A., b: B. }, optional: true",
                "fields: { user: { type: string": "fields: { user: { type: «string»",
            ], says: "'user' is a choice, which a prompt cannot ask for"),
        .changed(
            method: ValidSpec.variants, .wrongType, "a successor that does not know a value",
            ["{ popup: A window., page: A whole page. }": "{ popup: A window., page: A whole page., «print»: Paper. }"],
            says: "'code' takes over and uses 'display', which cannot be 'print' there"),
    ]

    /// Overrides that omit values of an inherited choice, whose default is `eu`.
    static let omittedValues: [BrokenSpec] = [
        .override(
            .unknownInheritedItem, "a slip in a value to omit", "region: { values: { «europe»: omitted } }", suggests: "europa",
            says: "the inherited choice has no value 'europe'"),
        .override(
            .unknownInheritedItem, "a value to omit that is near none", "region: { values: { «mars»: omitted, america: omitted } }",
            says: "the inherited choice has no value 'mars'; there are 'europa', 'asia'"),
        .override(
            .emptyCollection, "an omission that leaves one value", "region: { «values»: { america: omitted, asia: omitted } }",
            says: "a choice needs at least two values"),
        .override(
            .emptyCollection, "an omission that leaves no value",
            "region: { values: «{» america: omitted, asia: omitted, europa: omitted } }"),
        .override(
            .unknownWord, "an inherited default that is omitted", "region: { «values»: { europa: omitted } }",
            says: "the inherited default 'europa' is omitted here; give 'region' another default"),
        .override(
            .unknownWord, "a default that is omitted", "region: { values: { america: omitted }, default: «america» }",
            says: "'america' is not one of the values; there are 'europa', 'asia'"),
        .override(
            .unknownWord, "an example that is omitted", "region: { values: { america: omitted }, example: «america» }"),
        .override(
            .invalidValue, "a value to omit of a choice that is not inherited",
            "planet: { type: choice, values: { earth: Earth., mars: «omitted» }, default: earth, summary: The planet. }",
            says: "only an inherited value can be omitted; write a sentence about 'mars'"),
    ]

    /// The beginning of a setting of the valid landscape.
    fileprivate static let region = "region: { type: string, example: eu,"
}

extension BrokenSpec {
    /// A landscape that extends one with a choice, and overrides its settings.
    fileprivate static func override(
        _ code: DiagnosticCode, _ title: String, _ setting: String, suggests suggestion: String? = nil,
        says message: String? = nil
    ) -> BrokenSpec {
        let choice = "region: { type: choice, values: { europa: E., america: A., asia: A. }, default: europa,"
        return BrokenSpec(
            code, title,
            SpecSources(
                own: [SpecFile("landscape.yaml", ValidSpec.extending + "settings:\n  \(setting)\n")],
                inherited: [
                    SpecFile("base/landscape.yaml", ValidSpec.landscape.changing(BrokenSpecs.region, to: choice)),
                    SpecFile("base/Web.yaml", ValidSpec.method),
                ]),
            suggests: suggestion, says: message)
    }

    /// The valid landscape with another beginning of a setting.
    fileprivate static func region(
        _ code: DiagnosticCode, _ title: String, _ text: String, suggests suggestion: String? = nil, says message: String? = nil
    ) -> BrokenSpec {
        .landscape(code, title, BrokenSpecs.region, text, suggests: suggestion, says: message)
    }
}
