// swift-tools-version: 6.2
import PackageDescription

// A stranger's landscape: a SAML service provider that was not written here (mod_auth_mellon with SimpleSAMLphp). Its folder of
// YAML says only how it differs from SAP Mobile Services. Clients without a browser sign in by a landscape that is ready.
let package = Package(
    name: "ServiceProvider",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "swift-countersign", path: "../../.."),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),  // requests
    ],
    targets: [
        .target(
            name: "MellonServiceProvider",
            dependencies: [
                .product(name: "SAPMobileServices", package: "swift-countersign"),
                .product(name: "CountersignSAP", package: "swift-countersign"),
            ],
            plugins: [
                .plugin(name: "CountersignPlugin", package: "swift-countersign")
            ]),
        .testTarget(
            name: "MellonServiceProviderTests",
            dependencies: [
                "MellonServiceProvider", .product(name: "CountersignBrowser", package: "swift-countersign"),
                .product(name: "CountersignAsyncHTTPClient", package: "swift-countersign"),
                .product(name: "CountersignSAP", package: "swift-countersign"),
                .product(name: "CountersignTesting", package: "swift-countersign"),
                .product(name: "SAMLECP", package: "swift-countersign"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "HTTPTypesFoundation", package: "swift-http-types"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
