internal import HTTPTypes

/// The names of the header fields and query parameters that carry a credential, except those that the credential itself names.
///
/// They are collected once for each method, since every request is compared with them.
struct CarriedNames: Sendable {
    /// The names of a placement that only requests of some HTTP methods carry.
    private struct Limited: Sendable {
        let methods: [HTTPRequest.Method]
        let fields: [HTTPField.Name]
        let parameters: [String]
    }

    private let fields: [HTTPField.Name]
    private let parameters: [String]
    private let limited: [Limited]
    /// Whether requests of other methods carry nothing of the credential.
    private let isLimited: Bool

    init(of method: PreparedProgram) {
        let values = method.parameters
        let unlimited = method.program.attach.filter { $0.requestMethods == nil }
        fields = unlimited.flatMap { $0.fieldNames(values) } + method.unplacedFieldNames
        parameters = unlimited.flatMap { $0.parameterNames(values).all }
        limited = method.program.attach.compactMap { placement in
            placement.requestMethods.map { methods in
                Limited(
                    methods: methods, fields: placement.fieldNames(values), parameters: placement.parameterNames(values).all)
            }
        }
        isLimited =
            unlimited.isEmpty && !limited.isEmpty && method.unplacedFieldNames.isEmpty && !method.usesSessionCookies
    }

    /// Whether a request carries the credential and has none of the header fields and parameters that it would carry.
    func areFree(in request: HTTPRequest) -> Bool {
        !fields.contains(where: request.headerFields.contains)
            // Most methods have none, and their requests are not read for it.
            && (parameters.isEmpty || !parameters.contains(where: request.hasQueryParameter))
            && (limited.isEmpty || areLimitedFree(in: request))
    }

    private func areLimitedFree(in request: HTTPRequest) -> Bool {
        var isCarried = !isLimited
        for names in limited where names.methods.contains(request.method) {
            if names.fields.contains(where: request.headerFields.contains)
                || names.parameters.contains(where: request.hasQueryParameter)
            {
                return false
            }
            isCarried = true
        }
        return isCarried
    }

    /// Removes the header fields and parameters that a request would carry.
    func remove(from request: inout HTTPRequest) {
        for name in fields { request.headerFields[fields: name] = [] }
        request.removeQueryParameters(named: parameters)
        for names in limited where names.methods.contains(request.method) {
            for name in names.fields { request.headerFields[fields: name] = [] }
            request.removeQueryParameters(named: names.parameters)
        }
    }
}
