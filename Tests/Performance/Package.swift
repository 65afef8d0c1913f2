// swift-tools-version: 6.2
import PackageDescription

// Measures the speed of the product against other clients that do the same work with the same server.
let package = Package(
    name: "Performance",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "swift-countersign", path: "../.."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),  // the command line
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),  // requests
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),  // what all is compared with
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),  // its bytes
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),  // its TLS settings
    ],
    targets: [
        .executableTarget(
            name: "Performance",
            dependencies: [
                .product(name: "SAPMobileServices", package: "swift-countersign"),
                .product(name: "CountersignSAP", package: "swift-countersign"),
                .product(name: "HTTPAuthentication", package: "swift-countersign"),
                .product(name: "ContainerRegistry", package: "swift-countersign"),
                .product(name: "OAuth", package: "swift-countersign"),
                .product(name: "CountersignFileStore", package: "swift-countersign"),
                .product(name: "CountersignAsyncHTTPClient", package: "swift-countersign"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "HTTPTypesFoundation", package: "swift-http-types"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ])
    ],
    swiftLanguageModes: [.v6]
)
