// The placement of a credential in requests.

extension SpecLanguage {
    static let placement = Construct(
        "an attachment", "The placement of the credential in requests.",
        alternatives: ["headers", "query", "json", "form", "sign", "identity"], combinable: ["headers", "query", "json", "form"],
        exclusive: ["json", "form"],
        keys: [
            .init(
                "generate",
                .named(
                    .memberName, key: "the value's name",
                    .word([.init("random", "256 random bits as 43 characters of Base64url.")])), beside: ["headers", "query"],
                "Generates unpredictable values for each request, to which `compute`, the header fields and the `query` can refer."
            ),
            .init(
                "compute", .named(.memberName, key: "the value's name", .construct(requestFunction)), beside: ["headers", "query"],
                "Computes values for each request, such as a signature. Each can use those before it, and parts of the request: `{request.method}`, `{request.host}` (in lower case, with the port unless it is the scheme's default), `{request.path}` and `{request.query}` (as they are encoded), `{request.target}` (path and query), `{request.body}` and `{request.url.origin}`. The header fields and the `query` refer to them; the body cannot, since it is completed before."
            ),
            .init(
                "headers", .named(.fieldName, key: "the header field", .text(.textTemplate)),
                "Header fields, with references to the credential's fields and to parameters. A name can be a whole reference to a parameter of type `header`, or, without `compute`, to a field of the credential of type `string`, for a server that chooses the name. Requests fail if it chooses a field of the connection, of the body, of another credential, or another field with a meaning of its own, such as `Host`, `Content-Type`, `Authorization` or `Cookie`. A request of the application that has the field already carries no credential."
            ),
            .init(
                "query",
                .named(
                    .formName, key: "the name, which can have `{references}` to parameters", .text(.textTemplate)),
                "Parameters of the URL's query, with references to the credential's fields and to parameters. Absent values are omitted. Servers and proxies often log URLs, so write a header field if the server accepts one; a bearer token must not be in a query then (RFC 6750, section 2.3). Only the request that is sent has the parameters: they are not in the URLs of responses, events and errors. A signature covers them. If one of them refers to a value of `compute` or `generate`, they follow the parameters of the other items, in this order, and each is added as soon as the values in it and in those before it are computed: `{request.query}` and `{request.target}` have the parameters that are added by then. So a signature covers the parameters before its own, such as a time."
            ),
            .init(
                "json", .named(.formName, key: "the name, which can have `{references}` to parameters", .json),
                "Members that are added to the JSON object in the body, with references to the credential's fields and to parameters. Absent values are omitted. The body must be a JSON object in memory without a member of such a name, and its `Content-Type` must say so. A request without a body gets one, except a GET, HEAD, OPTIONS or TRACE. No other request carries the credential, and a challenge to one reaches the application. Signatures cover the members."
            ),
            .init(
                "form",
                .named(
                    .formName, key: "the name, which can have `{references}` to parameters", .text(.textTemplate)),
                "Fields that are added to the form in the body (`application/x-www-form-urlencoded`), by the rules for `json`. A request has one body, so a credential has members of a JSON object or of a form, not of both."
            ),
            .init("sign", .construct(attachedSignature), "A standard signature or authentication scheme; at most one."),
            .init(
                "identity", .text(.textTemplate),
                "A whole reference to a field of type `identity`: the client certificate of connections to the servers."),
            .init(
                "methods", .list(of: .word(requestMethods)), default: "all requests", beside: ["headers", "query"],
                "The HTTP methods of the requests that carry the item's header fields and query parameters, such as `[POST, PUT, PATCH, DELETE]` for a token against cross-site requests. A request of another method gets nothing from the item: a field or parameter of the same name that the application has set stays, and the request carries the rest of the credential. If no item is for a request, it carries only the cookies or the token of the credential; if it has neither, the request carries no credential, and a challenge to it reaches the application. `json`, `form`, `generate` and `compute` need an item without `methods`."
            ),
        ])

    /// The methods that a placement can be limited to (RFC 9110, section 9.3, RFC 5789 and RFC 4918). They are case-sensitive.
    static let requestMethods = [
        ValueShape.Word("GET", "Retrieves a resource."), ValueShape.Word("HEAD", "Retrieves only the header fields."),
        ValueShape.Word("POST", "Has the resource process the content."), ValueShape.Word("PUT", "Replaces a resource."),
        ValueShape.Word("PATCH", "Changes a resource (RFC 5789)."), ValueShape.Word("DELETE", "Deletes a resource."),
        ValueShape.Word("OPTIONS", "Asks for the communication options."),
        ValueShape.Word("PROPFIND", "Retrieves properties (WebDAV, RFC 4918, as are the following)."),
        ValueShape.Word("PROPPATCH", "Changes properties."), ValueShape.Word("MKCOL", "Creates a collection."),
        ValueShape.Word("COPY", "Copies a resource."), ValueShape.Word("MOVE", "Moves a resource."),
        ValueShape.Word("LOCK", "Locks a resource."), ValueShape.Word("UNLOCK", "Unlocks a resource."),
    ]
}
