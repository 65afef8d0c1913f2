// swift-tools-version: 6.2
import PackageDescription

// A stranger's landscape: a SAML service provider that was not written here (mod_auth_mellon with SimpleSAMLphp). Its folder of
// YAML says only how it differs from SAP Mobile Services.
let package = Package(
    name: "ServiceProvider",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "swift-countersign", path: "../../..")],
    targets: [
        .target(
            name: "MellonServiceProvider",
            dependencies: [
                .product(name: "SAPMobileServices", package: "swift-countersign"),
                .product(name: "CountersignSAP", package: "swift-countersign"),
            ],
            plugins: [.plugin(name: "CountersignPlugin", package: "swift-countersign")]),
        .testTarget(
            name: "MellonServiceProviderTests",
            dependencies: [
                "MellonServiceProvider", .product(name: "CountersignBrowser", package: "swift-countersign"),
                .product(name: "CountersignSAP", package: "swift-countersign"),
                .product(name: "CountersignTesting", package: "swift-countersign"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
