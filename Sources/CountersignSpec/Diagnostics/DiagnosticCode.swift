/// The rules of the spec language, by the stable codes in messages.
///
/// The hundreds group them: 1 files and YAML, 2 shape, 3 names, 4 references, 5 parameters, 6 challenges, flows, credentials and
/// errors, 7 inheritance and dependencies.
/// A code is never reused for another rule. Each has a page with an incorrect and a corrected example.
/// `countersign explain CS0201` shows it. The examples are in `Sources/CountersignCLI/Messages`.
package enum DiagnosticCode: String, Sendable, Hashable, CaseIterable {
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
    case identifyingParameter = "CS0507"

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
    case mismatchedExample = "CS0621"
    case undecidedItem = "CS0622"

    case unknownLandscape = "CS0701"
    case methodsWithoutExtends = "CS0702"
    case unknownInheritedMethod = "CS0703"
    case extendsChain = "CS0704"
    case inheritedStem = "CS0705"
    case missingDependency = "CS0706"
    case unknownInheritedOperation = "CS0707"
    case unknownInheritedItem = "CS0708"
    case widenedRecipients = "CS0709"
}

extension DiagnosticCode {
    /// The severity of a violation. A violation that can be intended is a warning.
    package var severity: Diagnostic.Severity {
        switch self {
        case .unusedParameter, .overlappingChallenges, .errorNeverRaised, .finishAtPage, .unusedCapture, .neverRenews,
            .unattachedField, .mismatchedExample, .widenedRecipients:
            .warning
        default: .error
        }
    }

    /// The rule in one sentence, for `explain` and the reference.
    package var explanation: String {
        switch self {
        case .unreadableFile: "Every given file must be readable."
        case .fileTooLarge: "A spec has at most 1 MiB."
        case .invalidUTF8: "A spec is encoded in UTF-8."
        case .invalidCharacter: "A spec has no control characters except tabs and line ends (YAML 1.2)."
        case .invalidYAML: "A spec is YAML 1.2. Reading a file ends at its first syntax error."
        case .tab: "YAML is indented with spaces. A tab cannot begin or indent a value."
        case .emptyFile: "A spec is not empty. It has at least `countersign: 2` and a declaration."
        case .severalDocuments: "A spec is one YAML document. Each method has its own file."
        case .duplicateKey: "A mapping has each key only once."
        case .tag: "YAML tags are not supported. A scalar is text and is read by the type of its key."
        case .mergeKey: "Merge keys (`<<`) are not supported. Share a whole value by an anchor, or a whole method by `extends`."
        case .nestingTooDeep: "A file is nested at most 100 levels deep. No construct of the language needs more than a dozen."
        case .tooManyNodes: "A file has at most 20,000 values, including expanded aliases."
        case .unknownKey: "A construct has only the keys of the language. Unknown keys are errors."
        case .wrongShape: "A key has a text, a list or a mapping as its value, depending on its construct."
        case .missingKey: "Required keys must be present."
        case .unsupportedVersion: "`countersign` is the version of the language. This reader supports version 2."
        case .unknownWord: "A key with a set of words has one of them as its value."
        case .invalidValue: "A text must be valid for its key or its field's type."
        case .emptyCollection: "A required list or mapping is not empty, and a choice has at least two values."
        case .notExactlyOne:
            "Exactly one of several alternative keys, or of several signatures of a request, is present. Each error case is in one error type."
        case .misplacedKey: "A key that belongs to another key is used only with it."
        case .invalidName:
            "Type names are UpperCamelCase, names of fields and cases are lowerCamelCase, with ASCII letters, digits and `_`."
        case .reservedName: "A name must not be reserved by Swift or used by the generated code."
        case .duplicateName:
            "Names within one list are unique. Names of header fields and of scheme parameters are compared without case."
        case .duplicateMethod: "Each method of a landscape has a unique name."
        case .collidingTypeName: "The names of a landscape's types, declared or generated, and of its module are unique."
        case .collidingFiles: "File names differ in more than case and extension, since each names a generated file."
        case .severalLandscapes: "A landscape has only one landscape.yaml."
        case .missingLandscape: "A landscape has a landscape.yaml."
        case .malformedTemplate: "The braces of a template are balanced and contain a name. `{{` and `}}` are literal braces."
        case .unknownReference:
            "A `{reference}` refers to a value that is available in its place: a parameter, a value of the challenge or the credential, a result of the operation, a value of an earlier step, or in `from` and `operations` a setting."
        case .unknownField: "A key or value that refers to a field refers to a declared one."
        case .unknownErrorCase: "A step, a rejection or a key of `failures` refers to a case of `errors`."
        case .wrongType:
            "A reference has the required type: a URL begins with a `url`, a header name is a `header`."
        case .optionalReference:
            "A value that may be absent is used only where that is supported: as `{name?}`, or for a setting as the value of a query item."
        case .exposedSecret:
            "A secret is not used in URLs, challenges or fields that are not secret. One of the application is not in a form of a browser."
        case .insecureURL: "A URL is `https`, or at a loopback address, or has `allow-http: true`."
        case .needlessMark: "`{name?}` is for values that may be absent. A value that is always present is `{name}`."
        case .missingSettings:
            "`from`, and operations without `parameters` or with a setting in their steps, need a landscape with settings."
        case .secretDefault: "A secret has no default, which would be public."
        case .optionalDefault: "A field is optional or has a default, but not both."
        case .missingExample: "A required field without another value has an example, which the mock landscape uses."
        case .unusedParameter: "Every parameter is used by a challenge, a step or the credential."
        case .literalSecret:
            "A spec contains no secrets, since the generated code would contain them. The application provides them."
        case .identifyingParameter:
            "A parameter with `identifies: false` changes neither the credential nor the servers, the client and the user that it belongs to."
        case .matchesEverything: "A challenge or an answer has a status or a header; otherwise every response would match."
        case .overlappingChallenges:
            "A response is the challenge of only one method; otherwise the order of registration decides which one answers. `overlaps` declares intended cases."
        case .unreachableStep:
            "No rejection or answer follows one that matches the same responses, no step has a condition that never holds, and every renewal can be reached."
        case .neverSucceeds:
            "A request has an answer that is not an error, and repeated steps have an end."
        case .wrongCarriedValues:
            "A case carries the values that its use provides: `load` an error, `invalid-argument` a `detail`, a rejection nothing."
        case .errorNeverRaised: "Every error case is used by a step, a rejection or `failures`."
        case .unverifiedRedirect:
            "A redirect that ends a login page is verified by a `random` value; otherwise any site could end the login."
        case .finishAtPage:
            "The URL that ends a page differs from the page's URL; otherwise a browser could end it before it is shown."
        case .unusedCapture:
            "A captured value is used by the credential, a later step or a prompt."
        case .neverRenews:
            "A renewal sends a part of the credential, sets a new one, and has an answer for the end of the session."
        case .proofKeyMethod:
            "A login page has the hash of a code verifier, and a later request has the verifier (RFC 7636)."
        case .unfilledField:
            "Each field of a credential is set by `from`, by a prompt or by every accepted answer of a request before it is used. So is each non-optional result of an operation."
        case .filledTwice: "Each field of a credential, and each result of an operation, is set once: by `from` or by one step."
        case .unattachedField:
            "Each field of a credential is used in requests, by `attach` or a later step, or in `expires`."
        case .connectionHeader: "A method sets no header field for message framing or connection management."
        case .spaceWithoutChallenge:
            "With `space: directory`, `per` has a value of the challenge that distinguishes the directories."
        case .nothingToResend:
            "A resent credential changes: each field has `from`, and the challenge has a new value for at least one."
        case .signatureWithoutChallenge: "A signature that answers a challenge needs its authentication scheme in each challenge."
        case .contradictorySpace: "A credential for all servers is not separated by origin."
        case .mismatchedExample: "The example of a challenge is a response that the challenge matches."
        case .undecidedItem:
            "A value of a list with conditions on its items is captured with `where`; otherwise it can be of another item than the one that meets them."
        case .tooManyPaths: "The steps of a method have at most 1,024 paths."
        case .unknownLandscape: "The landscape in `extends` is a dependency of the target."
        case .methodsWithoutExtends: "`methods` overrides inherited methods and needs `extends`."
        case .unknownInheritedMethod: "A key of `methods` is the file name of an inherited method without `.yaml`."
        case .extendsChain: "An extended landscape does not extend another one."
        case .inheritedStem: "A file does not have the name of an inherited one, unless that is omitted."
        case .unknownInheritedOperation: "Only an inherited operation can be `omitted`."
        case .unknownInheritedItem: "An override refers to items of the inherited list, and omits entries of the inherited mapping."
        case .widenedRecipients:
            "An override adds servers to those under the inherited `for` with `append` or `prepend`; a list in its place only removes some."
        case .missingDependency: "A target depends on the modules that its generated code imports."
        }
    }
}
