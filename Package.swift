// swift-tools-version: 6.2
import PackageDescription

// What tests of this package need and nothing else does: swift-syntax, and a server that is not ours. A package that says `traits: []` resolves
// neither. It is one trait, since SwiftPM 6.3 hands several to the compiler in an order that changes from build to build, which then begins anew.
let tools = TargetDependencyCondition.when(traits: ["Tools"])

let package = Package(
    name: "swift-countersign",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        // What an app or a server links.
        .library(name: "Countersign", targets: ["Countersign"]),
        .library(name: "CountersignAsyncHTTPClient", targets: ["CountersignAsyncHTTPClient"]),
        .library(name: "CountersignURLSession", targets: ["CountersignURLSession"]),
        .library(name: "CountersignFoundation", targets: ["CountersignFoundation"]),
        .library(name: "CountersignFileStore", targets: ["CountersignFileStore"]),
        .library(name: "CountersignEtcdStore", targets: ["CountersignEtcdStore"]),
        .library(name: "CountersignMetrics", targets: ["CountersignMetrics"]),
        .library(name: "CountersignTracing", targets: ["CountersignTracing"]),
        .library(name: "CountersignBrowser", targets: ["CountersignBrowser"]),
        .library(name: "CountersignWebKit", targets: ["CountersignWebKit"]),
        .library(name: "CountersignIdentity", targets: ["CountersignIdentity"]),
        .library(name: "CountersignJWT", targets: ["CountersignJWT"]),
        .library(name: "CountersignGSSAPI", targets: ["CountersignGSSAPI"]),
        .library(name: "CountersignSAP", targets: ["CountersignSAP"]),
        .library(name: "SAPMobileServices", targets: ["SAPMobileServices"]),
        .library(name: "AmazonWebServices", targets: ["AmazonWebServices"]),
        .library(name: "CAS", targets: ["CAS"]),
        .library(name: "ContainerRegistry", targets: ["ContainerRegistry"]),
        .library(name: "Etcd", targets: ["Etcd"]),
        .library(name: "FormLogin", targets: ["FormLogin"]),
        .library(name: "HTTPAuthentication", targets: ["HTTPAuthentication"]),
        .library(name: "JWTBearer", targets: ["JWTBearer"]),
        .library(name: "Keystone", targets: ["Keystone"]),
        .library(name: "Matrix", targets: ["Matrix"]),
        .library(name: "ModelContextProtocol", targets: ["ModelContextProtocol"]),
        .library(name: "OAuth", targets: ["OAuth"]),
        .library(name: "OpenIDConnect", targets: ["OpenIDConnect"]),
        .library(name: "SAMLECP", targets: ["SAMLECP"]),
        .library(name: "Transmission", targets: ["Transmission"]),
        // Popular products, each as what is different there.
        .library(name: "Auth0", targets: ["Auth0"]),
        .library(name: "EntraID", targets: ["EntraID"]),
        .library(name: "GitHub", targets: ["GitHub"]),
        .library(name: "GitLab", targets: ["GitLab"]),
        .library(name: "Google", targets: ["Google"]),
        .library(name: "Keycloak", targets: ["Keycloak"]),
        .library(name: "Okta", targets: ["Okta"]),
        // What its tests link.
        .library(name: "CountersignTesting", targets: ["CountersignTesting"]),
        .library(name: "SAPMobileServicesTesting", targets: ["SAPMobileServicesTesting"]),
        // What a landscape's target applies, and the tools behind it.
        .plugin(name: "CountersignPlugin", targets: ["CountersignPlugin"]),
        .plugin(name: "DocumentationPlugin", targets: ["DocumentationPlugin"]),
        .executable(name: "countersign-generator", targets: ["countersign-generator"]),
        .executable(name: "countersign", targets: ["CountersignCLI"]),
    ],
    traits: [
        .trait(name: "Tools", description: "What only tests of this package need: swift-syntax and Hummingbird."),
        .default(enabledTraits: ["Tools"]),
    ],
    dependencies: [
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),  // reads specs, with positions
        .package(url: "https://github.com/stencilproject/Stencil", from: "0.15.1"),  // renders Swift text
        .package(url: "https://github.com/swiftlang/swift-syntax", from: "603.0.1"),  // proves rendered text
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),  // the command lines
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),  // the currency at every seam
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),  // observability
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),  // counts, for those who want them
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),  // spans, likewise
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),  // the transport
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),  // its bytes and event loops
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),  // its TLS settings
        .package(url: "https://github.com/apple/swift-nio-http2.git", from: "1.46.0"),  // its frames
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),  // another server, in tests
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),  // certificates and requests
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),  // their keys; OAuth 2.0's hashes; encrypts stores
        .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.1"),  // signatures of tokens
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),  // their PEM, and archives
        .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"),  // the documentation
    ],
    targets: [
        // Build side: from YAML to Swift text.
        .target(name: "CountersignSpec", dependencies: [.product(name: "Yams", package: "Yams")]),
        .target(
            name: "CountersignTemplates", path: "Templates",
            resources: [
                .embedInCode("Authenticator.swift.stencil"), .embedInCode("Errors.swift.stencil"),
                .embedInCode("Header.swift.stencil"), .embedInCode("Landscape.swift.stencil"),
                .embedInCode("Method.swift.stencil"), .embedInCode("Observer.swift.stencil"),
                .embedInCode("Parameters.swift.stencil"), .embedInCode("GrantAuthenticator.swift.stencil"),
                .embedInCode("Grants.swift.stencil"), .embedInCode("GrantObserver.swift.stencil"),
                .embedInCode("CredentialObserver.swift.stencil"), .embedInCode("Operation.swift.stencil"),
                .embedInCode("ObserverSendable.swift.stencil"),
                .embedInCode("Enrolment.swift.stencil"), .embedInCode("Program.swift.stencil"),
                .embedInCode("Programs.swift.stencil"),
            ]),
        .target(
            name: "CountersignGenerator",
            dependencies: ["CountersignSpec", "CountersignTemplates", .product(name: "Stencil", package: "Stencil")]),
        .target(
            name: "CountersignProof",
            dependencies: [
                "CountersignGenerator",
                .product(name: "SwiftSyntax", package: "swift-syntax", condition: tools),
                .product(name: "SwiftParser", package: "swift-syntax", condition: tools),
                .product(name: "SwiftParserDiagnostics", package: "swift-syntax", condition: tools),
                .product(name: "SwiftDiagnostics", package: "swift-syntax", condition: tools),
            ]),
        .executableTarget(
            name: "countersign-generator",
            dependencies: [
                "CountersignGenerator", "CountersignSpec", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        .plugin(name: "CountersignPlugin", capability: .buildTool(), dependencies: ["countersign-generator"]),
        .plugin(
            name: "DocumentationPlugin",
            capability: .command(
                intent: .custom(
                    verb: "countersign", description: "Generates the pages of landscapes' documentation from their specs."),
                permissions: [.writeToPackageDirectory(reason: "The pages stand in the DocC catalogs of the landscapes' targets.")]),
            dependencies: ["countersign-generator"]),
        .plugin(name: "SpecLibraryPlugin", capability: .buildTool(), dependencies: ["countersign-generator"]),

        // Run side: sessions, challenges, flows.
        .target(
            name: "Countersign",
            dependencies: [
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
            ]),
        .target(
            name: "CountersignAsyncHTTPClient",
            dependencies: [
                "Countersign",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHPACK", package: "swift-nio-http2"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ]),
        // Neither NIO nor its client: Foundation's URLSession.
        .target(
            name: "CountersignURLSession",
            dependencies: ["Countersign", "CountersignIdentity", .product(name: "HTTPTypes", package: "swift-http-types")]),
        // Cookies in Foundation's types, without a session in Foundation's types and its transport. It is no product.
        .target(name: "CountersignCookies", dependencies: ["Countersign"]),
        .target(
            name: "CountersignFoundation",
            dependencies: [
                "Countersign", "CountersignAsyncHTTPClient", "CountersignCookies",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "HTTPTypesFoundation", package: "swift-http-types"),
            ]),
        .target(
            name: "CountersignFileStore", dependencies: ["Countersign", .product(name: "Crypto", package: "swift-crypto")]),
        .target(
            name: "CountersignEtcdStore",
            dependencies: [
                "Countersign", "CountersignFileStore", "Etcd", .product(name: "HTTPTypes", package: "swift-http-types"),
            ]),
        // For those who link them alone. No traits: SwiftPM 6.3 hands several to the compiler in an order that changes from build to build.
        .target(
            name: "CountersignMetrics", dependencies: ["Countersign", .product(name: "CoreMetrics", package: "swift-metrics")]),
        .target(
            name: "CountersignTracing",
            dependencies: ["Countersign", .product(name: "Tracing", package: "swift-distributed-tracing")]),
        .target(
            name: "CountersignIdentity",
            dependencies: [
                "Countersign",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "X509", package: "swift-certificates"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]),
        .target(
            name: "CountersignJWT",
            dependencies: [
                "Countersign", .product(name: "Crypto", package: "swift-crypto"), .product(name: "JWTKit", package: "jwt-kit"),
            ]),
        // The system's GSSAPI, which is loaded when a context is made: nothing is linked, and nothing of it is needed to build.
        .target(name: "CGSSAPI"),
        .target(name: "CountersignGSSAPI", dependencies: ["CGSSAPI", "Countersign"]),
        .target(
            name: "CountersignSAP",
            dependencies: ["CountersignFoundation", "CountersignIdentity", "CountersignWebKit", "Countersign"]),
        .target(
            name: "CountersignBrowser",
            dependencies: [
                "Countersign",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ]),
        // Beside what it decides of pages, it has code only where Apple's frameworks are.
        .target(name: "CountersignWebKit", dependencies: ["Countersign", "CountersignCookies"]),

        // Landscapes: a folder of YAML is a module.
        .target(
            name: "SAPMobileServices", dependencies: ["CountersignSAP"], path: "Specs/SAPMobileServices",
            plugins: ["CountersignPlugin"]),
        .target(
            name: "AmazonWebServices", dependencies: ["Countersign"], path: "Specs/AmazonWebServices",
            plugins: ["CountersignPlugin"]),
        .target(name: "CAS", dependencies: ["Countersign"], path: "Specs/CAS", plugins: ["CountersignPlugin"]),
        .target(
            name: "ContainerRegistry", dependencies: ["Countersign"], path: "Specs/ContainerRegistry",
            plugins: ["CountersignPlugin"]),
        .target(
            name: "HTTPAuthentication", dependencies: ["Countersign", "CountersignGSSAPI"], path: "Specs/HTTPAuthentication",
            plugins: ["CountersignPlugin"]),
        .target(name: "Etcd", dependencies: ["Countersign"], path: "Specs/Etcd", plugins: ["CountersignPlugin"]),
        .target(name: "FormLogin", dependencies: ["Countersign"], path: "Specs/FormLogin", plugins: ["CountersignPlugin"]),
        .target(
            name: "JWTBearer", dependencies: ["Countersign", "CountersignJWT"], path: "Specs/JWTBearer",
            plugins: ["CountersignPlugin"]),
        .target(name: "Keystone", dependencies: ["Countersign"], path: "Specs/Keystone", plugins: ["CountersignPlugin"]),
        .target(name: "Matrix", dependencies: ["Countersign"], path: "Specs/Matrix", plugins: ["CountersignPlugin"]),
        .target(
            name: "ModelContextProtocol", dependencies: ["Countersign", "CountersignJWT"], path: "Specs/ModelContextProtocol",
            plugins: ["CountersignPlugin"]),
        .target(name: "OAuth", dependencies: ["Countersign"], path: "Specs/OAuth", plugins: ["CountersignPlugin"]),
        .target(
            name: "OpenIDConnect", dependencies: ["Countersign", "CountersignJWT"], path: "Specs/OpenIDConnect",
            plugins: ["CountersignPlugin"]),
        .target(name: "SAMLECP", dependencies: ["Countersign"], path: "Specs/SAMLECP", plugins: ["CountersignPlugin"]),
        .target(name: "Transmission", dependencies: ["Countersign"], path: "Specs/Transmission", plugins: ["CountersignPlugin"]),

        // Popular products, each as what is different there.
        .target(
            name: "Auth0", dependencies: ["Countersign", "CountersignJWT", "OpenIDConnect"], path: "Specs/Auth0",
            plugins: ["CountersignPlugin"]),
        .target(
            name: "EntraID", dependencies: ["Countersign", "CountersignJWT", "OpenIDConnect"], path: "Specs/EntraID",
            plugins: ["CountersignPlugin"]),
        .target(
            name: "GitHub", dependencies: ["Countersign", "OAuth"], path: "Specs/GitHub", plugins: ["CountersignPlugin"]),
        .target(
            name: "GitLab", dependencies: ["Countersign", "CountersignJWT", "OpenIDConnect"], path: "Specs/GitLab",
            plugins: ["CountersignPlugin"]),
        .target(
            name: "Google", dependencies: ["Countersign", "CountersignJWT", "OpenIDConnect"], path: "Specs/Google",
            plugins: ["CountersignPlugin"]),
        .target(
            name: "Keycloak", dependencies: ["Countersign", "CountersignJWT", "OpenIDConnect"], path: "Specs/Keycloak",
            plugins: ["CountersignPlugin"]),
        .target(
            name: "Okta", dependencies: ["Countersign", "CountersignJWT", "OpenIDConnect"], path: "Specs/Okta",
            plugins: ["CountersignPlugin"]),

        // Test side: a landscape as a server.
        .target(
            name: "CountersignTesting",
            dependencies: [
                "Countersign", "CountersignIdentity",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "X509", package: "swift-certificates"),
            ]),

        // The servers that one landscape has beside those of its methods, and what its servers are known to do.
        .target(
            name: "SAPMobileServicesTesting",
            dependencies: [
                "Countersign", "CountersignIdentity", "CountersignTesting",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "X509", package: "swift-certificates"),
            ]),

        // Executes specs without generated code.
        .target(
            name: "CountersignDynamic",
            dependencies: ["CountersignSpec", "Countersign", "CountersignGSSAPI", "CountersignIdentity", "CountersignJWT"]),

        // The user's command, which alone sees both halves.
        .executableTarget(
            name: "CountersignCLI",
            dependencies: [
                "CountersignSpec", "CountersignGenerator", "CountersignDynamic",
                "Countersign", "CountersignAsyncHTTPClient", "CountersignBrowser", "CountersignFileStore", "CountersignTesting",
                "AmazonWebServices", "ContainerRegistry", "CountersignIdentity", "Etcd", "FormLogin", "HTTPAuthentication",
                "Keystone",
                "ModelContextProtocol", "OAuth", "OpenIDConnect",
                "SAMLECP", "SAPMobileServices", "SAPMobileServicesTesting", "Transmission",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            plugins: ["SpecLibraryPlugin"]),

        // What tests with sockets, processes and real time share.
        .target(name: "TestTurns", path: "Tests/TestTurns"),
        // What tests of transports share: servers that write what the test says, byte by byte.
        .target(
            name: "TestServers",
            dependencies: [
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            path: "Tests/TestServers"),

        // Tests mirror the targets; others are about the package itself, its documentation, and what the compiler makes of the specs.
        .testTarget(name: "CountersignSpecTests", dependencies: ["TestTurns", "CountersignSpec"]),
        .testTarget(
            name: "CountersignGeneratorTests",
            dependencies: [
                "TestTurns",
                "Countersign", "CountersignGenerator", "CountersignSpec", "CountersignTemplates", "countersign-generator",
                .product(name: "Stencil", package: "Stencil"),
            ]),
        .testTarget(
            name: "CountersignProofTests",
            dependencies: [
                "TestTurns",
                "CountersignProof", "CountersignGenerator", "CountersignSpec",
                .product(name: "SwiftSyntax", package: "swift-syntax", condition: tools),
                .product(name: "SwiftParser", package: "swift-syntax", condition: tools),
            ]),
        .testTarget(
            name: "CountersignTests",
            dependencies: [
                "TestTurns",
                "Countersign",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
            ]),
        .testTarget(
            name: "CountersignAsyncHTTPClientTests",
            dependencies: [
                "TestServers", "TestTurns",
                "Countersign", "CountersignAsyncHTTPClient",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird", condition: tools),
                .product(name: "HummingbirdCore", package: "hummingbird", condition: tools),
                .product(name: "HummingbirdHTTP2", package: "hummingbird", condition: tools),
                .product(name: "HummingbirdTLS", package: "hummingbird", condition: tools),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "X509", package: "swift-certificates"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
            ]),
        .testTarget(
            name: "CountersignURLSessionTests",
            dependencies: [
                "TestServers", "TestTurns",
                "Countersign", "CountersignAsyncHTTPClient", "CountersignTesting", "CountersignURLSession", "FormLogin", "OAuth",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]),
        .testTarget(
            name: "CountersignFoundationTests",
            dependencies: [
                "TestTurns",
                "Countersign", "CountersignAsyncHTTPClient", "CountersignFoundation",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ]),
        .testTarget(
            name: "CountersignFileStoreTests",
            dependencies: [
                "TestTurns",
                "Countersign", "CountersignAsyncHTTPClient", "CountersignFileStore", "CountersignTesting", "FileStoreContender",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]),
        .testTarget(
            name: "CountersignEtcdStoreTests",
            dependencies: [
                "TestTurns",
                "Countersign", "CountersignAsyncHTTPClient", "CountersignEtcdStore", "CountersignFileStore", "CountersignIdentity",
                "CountersignTesting", "FleetMember", "OAuth",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]),
        .testTarget(
            name: "CountersignObservabilityTests",
            dependencies: [
                "TestTurns", "Countersign", "CountersignAsyncHTTPClient", "CountersignMetrics", "CountersignTesting",
                "CountersignTracing",
                "OAuth",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ]),
        // One machine of a fleet that shares a login.
        .executableTarget(
            name: "FleetMember",
            dependencies: [
                "Countersign", "CountersignAsyncHTTPClient", "CountersignEtcdStore", "CountersignFileStore", "OAuth",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            path: "Tests/FleetMember"),
        // The other process in the tests of stores that processes share.
        .executableTarget(
            name: "FileStoreContender",
            dependencies: [
                "Countersign", "CountersignAsyncHTTPClient", "CountersignFileStore",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            path: "Tests/FileStoreContender"),
        .testTarget(
            name: "CountersignIdentityTests",
            dependencies: [
                "TestTurns",
                "Countersign", "CountersignIdentity",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "X509", package: "swift-certificates"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ]),
        .testTarget(name: "CountersignGSSAPITests", dependencies: ["TestTurns", "CGSSAPI", "Countersign", "CountersignGSSAPI"]),
        .testTarget(
            name: "CountersignJWTTests",
            dependencies: [
                "TestTurns", "Countersign", "CountersignJWT",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ]),
        .testTarget(
            name: "CountersignSAPTests",
            dependencies: ["CountersignSAP", .product(name: "HTTPTypes", package: "swift-http-types")]),
        .testTarget(
            name: "CountersignBrowserTests",
            dependencies: [
                "TestTurns",
                "Countersign", "CountersignAsyncHTTPClient", "CountersignBrowser", "CountersignTesting", "ChromiumContender",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ]),
        .testTarget(name: "CountersignWebKitTests", dependencies: ["Countersign", "CountersignWebKit"]),
        // The program that is killed in the tests of what is left of a browser.
        .executableTarget(
            name: "ChromiumContender", dependencies: ["Countersign", "CountersignBrowser"], path: "Tests/ChromiumContender"),
        .testTarget(
            name: "CountersignTestingTests",
            dependencies: [
                "TestTurns",
                "Countersign", "CountersignAsyncHTTPClient", "CountersignTesting",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ]),
        .testTarget(
            name: "SAPMobileServicesTests",
            dependencies: [
                "TestTurns",
                "SAPMobileServices", "SAPMobileServicesTesting", "Countersign", "CountersignBrowser", "CountersignFileStore",
                "CountersignTesting",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
            ]),
        .testTarget(
            name: "OpenLandscapesTests",
            dependencies: [
                "TestTurns", "AmazonWebServices", "Auth0", "CAS", "ContainerRegistry", "EntraID", "Etcd", "FormLogin", "GitHub",
                "GitLab", "Google",
                "HTTPAuthentication", "JWTBearer", "Keycloak", "Keystone", "Matrix", "ModelContextProtocol", "OAuth", "Okta",
                "OpenIDConnect", "SAMLECP", "Transmission", "Countersign", "CountersignAsyncHTTPClient", "CountersignDynamic",
                "CountersignFileStore",
                "CountersignIdentity",
                "CountersignSpec", "CountersignTesting",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]),
        .testTarget(
            name: "GeneratedProgramTests",
            dependencies: [
                "TestTurns", "CountersignSpec", "CountersignDynamic", "Countersign", "AmazonWebServices", "Auth0", "CAS", "EntraID",
                "GitHub", "GitLab", "Google", "Keycloak", "Okta", "ContainerRegistry",
                "Etcd", "FormLogin", "JWTBearer",
                "HTTPAuthentication", "Keystone", "Matrix", "ModelContextProtocol", "OAuth", "OpenIDConnect", "SAMLECP",
                "SAPMobileServices", "Transmission",
            ]),
        .testTarget(
            name: "CountersignCLITests",
            dependencies: [
                "TestTurns",
                "CountersignCLI", "CountersignSpec", "CountersignGenerator", "CountersignDynamic",
                "Countersign",
                "CountersignTesting", "SAPMobileServices", "SAPMobileServicesTesting",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]),
        .testTarget(name: "PackageTests", dependencies: ["TestTurns"]),
        // The code samples of SAP's documentation, compiled as an application's own code in both language modes.
        .target(
            name: "SeedSampleSupport",
            dependencies: ["SAPMobileServices", "SAPMobileServicesTesting", "Countersign", "CountersignTesting"],
            path: "Tests/SeedSampleSupport"),
        .testTarget(
            name: "SeedSamplesSwift5",
            dependencies: [
                "TestTurns", "SeedSampleSupport", "SAPMobileServices", "SAPMobileServicesTesting", "CountersignTesting",
            ],
            swiftSettings: [.swiftLanguageMode(.v5), .treatAllWarnings(as: .error)]),
        .testTarget(
            name: "SeedSamplesSwift6",
            dependencies: [
                "TestTurns", "SeedSampleSupport", "SAPMobileServices", "SAPMobileServicesTesting", "CountersignTesting",
            ],
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),
        // The landscape of the article "A landscape from nothing".
        .target(
            name: "CityLibrary", dependencies: ["CountersignFoundation"], path: "Tests/Adopters/FromNothing/Sources/CityLibrary",
            plugins: ["CountersignPlugin"]),
        // The landscape of the guide "Signed requests".
        .target(
            name: "Ledger", dependencies: ["Countersign", "CountersignJWT"], path: "Tests/Ledger", plugins: ["CountersignPlugin"]),
        .testTarget(
            name: "SnippetTests",
            dependencies: [
                "TestTurns", "AmazonWebServices", "Auth0", "CAS", "CityLibrary", "ContainerRegistry", "EntraID", "Etcd",
                "FormLogin", "GitHub",
                "GitLab", "Google", "HTTPAuthentication", "JWTBearer", "Keycloak", "Keystone", "Ledger", "Matrix",
                "ModelContextProtocol", "OAuth",
                "Okta", "OpenIDConnect", "SAMLECP", "SAPMobileServices", "SAPMobileServicesTesting", "Transmission", "Countersign",
                "CountersignAsyncHTTPClient", "CountersignBrowser", "CountersignEtcdStore", "CountersignFileStore",
                "CountersignFoundation", "CountersignMetrics", "CountersignTesting", "CountersignTracing", "CountersignURLSession",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"), .product(name: "Logging", package: "swift-log"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)

// Modules hand on the names of others, and what names one of them uses those, too. SwiftPM compiles a target anew where a module changes that it
// depends on by name, and not where one does that such a module hands on: what is left would take the types of that one for what they were, and
// crash. So a target that depends on one depends on all, and so does a package that links the library.
let handedOn: [String: [String]] = [
    "CountersignFoundation": ["Countersign", "CountersignAsyncHTTPClient"],
    "CountersignSAP": [
        "Countersign", "CountersignAsyncHTTPClient", "CountersignFoundation", "CountersignIdentity", "CountersignWebKit",
    ],
    "SAPMobileServices": [
        "Countersign", "CountersignAsyncHTTPClient", "CountersignFoundation", "CountersignIdentity", "CountersignSAP",
        "CountersignWebKit",
    ],
]

for target in package.targets {
    let names = target.dependencies.compactMap { dependency in
        if case .byNameItem(let name, _) = dependency { name } else { nil }
    }
    let missing = Set(names.flatMap { handedOn[$0] ?? [] }).subtracting(names).subtracting([target.name])
    target.dependencies += missing.sorted().map { .byName(name: $0) }
}
package.products = package.products.map { product in
    guard let library = product as? Product.Library else { return product }
    let own = package.targets.filter { library.targets.contains($0.name) }.flatMap(\.dependencies).compactMap { dependency in
        if case .byNameItem(let name, _) = dependency { name } else { nil }
    }
    let libraries = Set(package.products.compactMap { ($0 as? Product.Library)?.name })
    return .library(name: library.name, targets: library.targets + Set(own).intersection(libraries).sorted())
}

// The thread sanitizer's builds (.ci/thread-sanitizer): the runtime and its tests; or all that tasks and threads share, which takes much longer:
// transports, stores, presenters, and the open landscapes, which go through all of them.
if let part = Context.environment["COUNTERSIGN_THREADS_ALONE"] {
    let runtime: Set = ["Countersign", "CountersignTests", "TestTurns"]
    let tests: Set = [
        "CountersignTests", "CountersignAsyncHTTPClientTests", "CountersignFoundationTests", "CountersignFileStoreTests",
        "CountersignEtcdStoreTests", "CountersignObservabilityTests", "CountersignBrowserTests", "OpenLandscapesTests",
    ]
    let others: Set = [
        "CountersignCLI", "CountersignProof", "CountersignSAP", "CountersignWebKit", "SAPMobileServices",
        "SAPMobileServicesTesting",
        "SeedSampleSupport", "CityLibrary", "Ledger",
    ]
    package.targets.removeAll { target in
        if part == "runtime" { return !runtime.contains(target.name) }
        return target.type == .test ? !tests.contains(target.name) : others.contains(target.name)
    }
    package.products.removeAll {
        part == "runtime" ? $0.name != "Countersign" : others.contains($0.name) || $0.name == "countersign"
    }
}

// One setting for all that have none of their own. Warnings are errors in the gate, which reads what the compiler says: not here, where a
// newer compiler would stop a reader's build.
for target in package.targets where target.type != .plugin && target.swiftSettings == nil {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}
