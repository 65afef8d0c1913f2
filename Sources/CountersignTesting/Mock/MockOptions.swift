/// How a mock landscape behaves where its description leaves it open.
public struct MockOptions: Sendable {
    /// Who can sign in: passwords by user name.
    public var users: [String: String] = ["alice": "wonderland", "jürgen": "pässwörd€"]
    /// Whether the identity provider keeps users signed in, so that the next login of the same browser asks for nothing.
    public var identityProviderRemembersUsers = true
    /// How long an assertion of the identity provider, and a login that was begun, can be used.
    public var loginLifetime: Duration = .seconds(300)
    /// Which of a method's described challenges its server sends: signature names by method names. Without one it is the first.
    public var signatures: [String: String] = [:]
    /// Which method protects the addresses that are not below `/resource/NAME/`; `nil` takes the first whose credential is a cookie, or the
    /// first.
    public var protection: String?
    /// Changes what authorization servers do; clients, users and addresses are filled in from the description before.
    public var oauth2: @Sendable (inout MockOAuth2Options) -> Void = { _ in }
    /// How resources are guarded by HTTP Basic.
    public var basic = MockBasicOptions()
    /// The API keys that are accepted.
    public var apiKeys = ["countersign-api-key"]
    /// Whether a request without an API key gets the resource.
    public var allowsAnonymousAccess = false
    /// How one-time passcodes are asked for, and for which resources.
    public var passcodes = MockPasscodeOptions()
    /// TLS on the mock's port, and what it demands of certificates; `nil` for plain HTTP, where methods with client certificates are not
    /// played.
    public var certificates: MockCertificateOptions?
    /// The servers beside those of the methods, one of each type at most.
    private(set) var services: [any MockServiceOptions] = []

    /// The defaults.
    public init() {}

    /// The options of a server beside those of the methods; `nil` for no such server.
    package subscript<Service: MockServiceOptions>(_ type: Service.Type) -> Service? {
        get { services.lazy.compactMap { $0 as? Service }.first }
        set {
            services.removeAll { $0 is Service }
            if let newValue { services.append(newValue) }
        }
    }
}
