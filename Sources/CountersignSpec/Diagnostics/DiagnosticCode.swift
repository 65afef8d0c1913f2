/// The rules of the spec language, by the stable code that messages carry.
///
/// The hundreds group them: 1 files and YAML, 2 shape, 3 names, 4 references, 5 parameters, 6 challenges, flows, credentials and errors,
/// 7 inheritance and dependencies.
/// A code is never given to another rule.
public enum DiagnosticCode: String, Sendable, Hashable, CaseIterable {
    case unreadableFile = "CS0101"
    case fileTooLarge = "CS0102"
    case invalidUTF8 = "CS0103"
    case invalidCharacter = "CS0104"
    case invalidYAML = "CS0105"
    case tab = "CS0106"
    case emptyFile = "CS0107"
    case severalDocuments = "CS0108"
    case duplicateKey = "CS0109"
    case tag = "CS0110"
    case mergeKey = "CS0111"
    case nestingTooDeep = "CS0112"
    case tooManyNodes = "CS0113"

    case unknownKey = "CS0201"
    case wrongShape = "CS0202"
    case missingKey = "CS0203"
    case unsupportedVersion = "CS0204"
    case unknownWord = "CS0205"
    case invalidValue = "CS0206"
    case emptyCollection = "CS0207"
    case notExactlyOne = "CS0208"
    case misplacedKey = "CS0209"

    case invalidName = "CS0301"
    case reservedName = "CS0302"
    case duplicateName = "CS0303"
    case duplicateMethod = "CS0304"
    case collidingTypeName = "CS0305"
    case collidingFiles = "CS0306"
    case severalLandscapes = "CS0307"
    case missingLandscape = "CS0308"

    case malformedTemplate = "CS0401"
    case unknownReference = "CS0402"
    case unknownField = "CS0403"
    case unknownErrorCase = "CS0404"
    case wrongType = "CS0405"
    case optionalReference = "CS0406"
    case exposedSecret = "CS0407"
    case insecureURL = "CS0408"
    case missingSettings = "CS0409"
    case needlessMark = "CS0410"

    case secretDefault = "CS0501"
    case optionalDefault = "CS0502"
    case missingExample = "CS0503"
    case unusedParameter = "CS0505"
    case literalSecret = "CS0506"

    case matchesEverything = "CS0601"
    case overlappingChallenges = "CS0602"
    case unreachableStep = "CS0603"
    case neverSucceeds = "CS0604"
    case wrongCarriedValues = "CS0605"
    case errorNeverRaised = "CS0606"
    case unverifiedRedirect = "CS0607"
    case finishAtPage = "CS0608"
    case unusedCapture = "CS0609"
    case neverRenews = "CS0610"
    case proofKeyMethod = "CS0611"
    case unfilledField = "CS0612"
    case filledTwice = "CS0613"
    case unattachedField = "CS0614"
    case connectionHeader = "CS0615"
    case spaceWithoutChallenge = "CS0616"
    case nothingToResend = "CS0617"
    case signatureWithoutChallenge = "CS0618"
    case tooManyPaths = "CS0619"
    case contradictorySpace = "CS0620"

    case unknownLandscape = "CS0701"
    case methodsWithoutExtends = "CS0702"
    case unknownInheritedMethod = "CS0703"
    case extendsChain = "CS0704"
    case inheritedStem = "CS0705"
    case missingDependency = "CS0706"
    case unknownInheritedOperation = "CS0707"
    case unknownInheritedItem = "CS0708"
}

extension DiagnosticCode {
    /// How bad a breach is. What an application might keep on purpose is a warning.
    public var severity: Diagnostic.Severity {
        switch self {
        case .unusedParameter, .overlappingChallenges, .errorNeverRaised, .finishAtPage, .unusedCapture, .neverRenews,
            .unattachedField:
            .warning
        default: .error
        }
    }

    /// The rule in one line, for `explain` and the reference.
    public var explanation: String {
        switch self {
        case .unreadableFile: "Every file that is named can be read."
        case .fileTooLarge: "A spec is at most one mebibyte; a larger file is not a spec."
        case .invalidUTF8: "A spec is UTF-8."
        case .invalidCharacter: "A spec has no control characters but tab and line ends, as YAML demands."
        case .invalidYAML: "A spec is YAML 1.2; the first syntax error of a file ends its reading."
        case .tab: "YAML is indented with spaces; a tab cannot begin or indent a value."
        case .emptyFile: "A spec has content: at least `countersign: 2`, and what it declares."
        case .severalDocuments: "A spec is one YAML document; a second method has its own file."
        case .duplicateKey: "A key stands once in its mapping, so that no value is silently lost."
        case .tag: "Scalars are text and are read by the type of their key; YAML tags are refused."
        case .mergeKey: "Merge keys (`<<`) are refused; share a whole value with an anchor, or a whole method with `extends`."
        case .nestingTooDeep: "No construct of the language nests deeper than a dozen levels; reading stops at one hundred."
        case .tooManyNodes: "A file has, with its aliases expanded, not more than twenty thousand values."
        case .unknownKey: "The vocabulary is closed: a key that the construct does not have is never ignored."
        case .wrongShape: "Each key takes a text, a list or a mapping, as its construct says."
        case .missingKey: "Required keys are there."
        case .unsupportedVersion: "`countersign` names the version of the language; this reader knows version 2."
        case .unknownWord: "Where a key takes one of a few words, it is one of them."
        case .invalidValue: "A text can be read as what its key or its field's type asks for."
        case .emptyCollection: "A list or mapping that is required has something in it."
        case .notExactlyOne:
            "Of keys that exclude each other, and of signatures of a request, there is exactly one; each error case is in one error type."
        case .misplacedKey: "A key that belongs to another stands beside it."
        case .invalidName:
            "Type names are UpperCamelCase, names of fields and cases lowerCamelCase, of ASCII letters, digits and `_`."
        case .reservedName: "A name does not take one that Swift or the generated code needs itself."
        case .duplicateName:
            "Names within one list differ; those of header fields and parameters of schemes in more than case."
        case .duplicateMethod: "Each method of a landscape has its own name."
        case .collidingTypeName: "No two types of a landscape, declared or generated, and not the module, share a name."
        case .collidingFiles: "File names differ by more than case and extension, since each names a generated file."
        case .severalLandscapes: "A landscape has one landscape.yaml."
        case .missingLandscape: "A landscape has a landscape.yaml."
        case .malformedTemplate: "A template's braces close and name something; `{{` and `}}` stand for braces."
        case .unknownReference:
            "A `{reference}` names a value that is known in its place: a parameter, a part of the challenge or the credential, a result of the operation, what a step has left, or in `from` and `operations` a setting."
        case .unknownField: "A key or value that names a field names one that is declared."
        case .unknownErrorCase: "A step, a rejection or a key of `failures` names a case of `errors`."
        case .wrongType:
            "A reference has the type that its place needs: a URL begins with a `url`, a header name is a `header`."
        case .optionalReference:
            "What may be absent is referred to where that has a meaning: as `{name?}`, or of a setting as the value of a query item."
        case .exposedSecret: "A secret stays out of URLs, challenges and fields that are not secret themselves."
        case .insecureURL: "A URL is https, or loopback, or says `allow-http: true` beside it."
        case .needlessMark: "`{name?}` is for what may be absent; what is always there is `{name}`."
        case .missingSettings:
            "`from`, and operations without `parameters` or with a setting in their steps, need a landscape that declares settings."
        case .secretDefault: "A secret has no default: it would be the same for everyone, and public."
        case .optionalDefault: "A field is optional or has a default, not both."
        case .missingExample: "A required field that nothing else fills has an example, from which the mock landscape is run."
        case .unusedParameter: "Every parameter is used, by a challenge, a step or the credential."
        case .literalSecret: "A secret is the application's: a spec, and the code that is generated from it, is no place for one."
        case .matchesEverything: "A challenge or an answer has a status or a header, or every response would be one."
        case .overlappingChallenges:
            "No response is the challenge of two methods, or the order of registration decides which one answers; `overlaps` says what is intended."
        case .unreachableStep:
            "No rejection or answer stands after one that fits the same responses, no step under a condition that never holds, and no renewal that nothing leads to."
        case .neverSucceeds:
            "Not every answer to a request is an error, and steps that run again and again come to an end."
        case .wrongCarriedValues:
            "A case carries what its use provides: `load` an error, `invalid-argument` a `detail`, a rejection nothing."
        case .errorNeverRaised: "Every error case is raised by a step, a rejection, or what `failures` names."
        case .unverifiedRedirect:
            "A redirect that ends a login page proves by a `random` value that it belongs to it, or any site could end it."
        case .finishAtPage: "A page ends at another URL than the one that is opened, or a browser may end it before it is shown."
        case .unusedCapture:
            "What is captured is used: by the credential, a later step or a prompt."
        case .neverRenews:
            "A renewal sends a part of the credential that it renews, brings another, and knows the answer that ends it."
        case .proofKeyMethod:
            "A login page has the hash of a code verifier, and a later request the verifier (RFC 7636)."
        case .unfilledField:
            "Each field of a credential is filled, by `from`, by a prompt or by every accepted answer of a request, before it is named; so is each result of an operation that is not optional."
        case .filledTwice: "Each field of a credential, and each result of an operation, is filled once: by `from`, or by one step."
        case .unattachedField:
            "Each field of a credential is in requests, by `attach` or by a later step, or says when the credential expires."
        case .connectionHeader: "A method writes no header field that frames a message or belongs to the connection."
        case .spaceWithoutChallenge: "With `space: directory`, `per` has a value of the challenge that tells the directories apart."
        case .nothingToResend: "What is resent has something new: each field has `from`, and the challenge brings a value of one."
        case .signatureWithoutChallenge: "A signature that answers a challenge has one of its scheme in each challenge."
        case .contradictorySpace: "A credential for all servers is not kept apart by the origin."
        case .tooManyPaths: "No more than 1,024 ways lead through the steps of a method."
        case .unknownLandscape: "The landscape that `extends` names is among the dependencies of the target."
        case .methodsWithoutExtends: "`methods` overrides what is inherited, so it needs `extends`."
        case .unknownInheritedMethod: "`methods` names the file of an inherited method without `.yaml`."
        case .extendsChain: "A landscape that is extended does not extend another."
        case .inheritedStem: "A file does not take the name of an inherited one, unless that is omitted."
        case .unknownInheritedOperation: "An operation that is `omitted` is inherited."
        case .unknownInheritedItem: "An override names items that the inherited list has."
        case .missingDependency: "A target depends on the modules that the code generated for it imports."
        }
    }
}
