/// The options of a mock landscape where its description leaves a choice.
public struct MockOptions: Sendable {
    /// The passwords by user name.
    public var users: [String: String] = ["alice": "wonderland", "jürgen": "pässwörd€"]
    /// Whether the identity provider keeps users signed in, so that the next login of the same browser shows no form.
    public var identityProviderRemembersUsers = true
    /// The lifetime of an assertion of the identity provider, and of a login that was started.
    public var loginLifetime: Duration = .seconds(300)
    /// The challenge that each method's server sends: signature names by method names. The default is the first described one.
    public var signatures: [String: String] = [:]
    /// The method that protects all paths except those below `/resource/NAME/`; `nil` for the first whose credential is a cookie,
    /// or otherwise the first.
    public var protection: String?
    /// Changes the options of authorization servers. Clients, users and URLs are already set from the description.
    public var oauth2: @Sendable (inout MockOAuth2Options) -> Void = { _ in }
    /// The options of HTTP Basic.
    public var basic = MockBasicOptions()
    /// The accepted API keys.
    public var apiKeys = ["countersign-api-key"]
    /// Whether a request without an API key receives the resource.
    public var allowsAnonymousAccess = false
    /// The options of one-time passcodes.
    public var passcodes = MockPasscodeOptions()
    /// The TLS and client certificate options; `nil` for plain HTTP, where methods with client certificates are not available.
    public var certificates: MockCertificateOptions?
    /// The additional servers, at most one of each type.
    private(set) var services: [any MockServiceOptions] = []

    /// Creates options with the default values.
    public init() {}

    /// The options of an additional server; `nil` for no such server.
    package subscript<Service: MockServiceOptions>(_ type: Service.Type) -> Service? {
        get { services.lazy.compactMap { $0 as? Service }.first }
        set {
            services.removeAll { $0 is Service }
            if let newValue { services.append(newValue) }
        }
    }
}
