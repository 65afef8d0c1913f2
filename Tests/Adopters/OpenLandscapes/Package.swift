// swift-tools-version: 6.2
import PackageDescription

// The landscapes beyond SAP Mobile Services, tested with the third-party servers of the lab.
let package = Package(
    name: "OpenLandscapes",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "swift-countersign", path: "../../.."),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    ],
    targets: [
        .testTarget(
            name: "OpenLandscapesTests",
            dependencies: [
                .product(name: "CAS", package: "swift-countersign"),
                .product(name: "ContainerRegistry", package: "swift-countersign"),
                .product(name: "HTTPAuthentication", package: "swift-countersign"),
                .product(name: "Keystone", package: "swift-countersign"),
                .product(name: "Matrix", package: "swift-countersign"),
                .product(name: "ModelContextProtocol", package: "swift-countersign"),
                .product(name: "Transmission", package: "swift-countersign"),
                .product(name: "CountersignAsyncHTTPClient", package: "swift-countersign"),
                .product(name: "CountersignTesting", package: "swift-countersign"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "HTTPTypesFoundation", package: "swift-http-types"),
            ])
    ],
    swiftLanguageModes: [.v6]
)
