// swift-tools-version: 6.2
import PackageDescription

// A landscape of another project: a third-party SAML service provider (mod_auth_mellon with SimpleSAMLphp). Its folder of YAML
// describes only the differences from SAP Mobile Services. Clients without a browser log in with a landscape of the package.
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
