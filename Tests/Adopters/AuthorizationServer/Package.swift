// swift-tools-version: 6.2
import PackageDescription

// A landscape of another project: a third-party OAuth 2.0 server (Canaille, on Authlib). Its folder of YAML describes only the
// differences from SAP Mobile Services. A second folder describes a client that sends requests which the server must refuse.
let countersign: [Target.Dependency] = [
    .product(name: "SAPMobileServices", package: "swift-countersign"),
    .product(name: "CountersignSAP", package: "swift-countersign"),
]
let plugin: [Target.PluginUsage] = [.plugin(name: "CountersignPlugin", package: "swift-countersign")]

let package = Package(
    name: "AuthorizationServer",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "swift-countersign", path: "../../.."),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),  // requests
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),  // codes of the second factor
    ],
    targets: [
        .target(name: "Canaille", dependencies: countersign, plugins: plugin),
        .target(name: "RefusedClient", dependencies: countersign, plugins: plugin),
        .testTarget(
            name: "AuthorizationServerTests",
            dependencies: [
                "Canaille", "RefusedClient",
                .product(name: "JWTBearer", package: "swift-countersign"),
                .product(name: "OAuth", package: "swift-countersign"),
                .product(name: "OpenIDConnect", package: "swift-countersign"),
                .product(name: "CountersignSAP", package: "swift-countersign"),
                .product(name: "CountersignTesting", package: "swift-countersign"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
