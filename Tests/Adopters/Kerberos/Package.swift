// swift-tools-version: 6.2
import PackageDescription

// HTTP Negotiate with a third-party web server and KDC: Apache with mod_auth_gssapi, and MIT Kerberos.
let package = Package(
    name: "Kerberos",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "swift-countersign", path: "../../.."),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    ],
    targets: [
        .testTarget(
            name: "KerberosTests",
            dependencies: [
                .product(name: "HTTPAuthentication", package: "swift-countersign"),
                .product(name: "Countersign", package: "swift-countersign"),
                .product(name: "CountersignAsyncHTTPClient", package: "swift-countersign"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "HTTPTypesFoundation", package: "swift-http-types"),
            ])
    ],
    swiftLanguageModes: [.v6]
)
