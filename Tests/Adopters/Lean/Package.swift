// swift-tools-version: 6.2
import PackageDescription

// A client of one server that uses neither the mock nor the command, and does not resolve their dependencies.
let package = Package(
    name: "Lean",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "swift-countersign", path: "../../..", traits: [])],
    targets: [
        .executableTarget(
            name: "Lean",
            dependencies: [
                .product(name: "CountersignAsyncHTTPClient", package: "swift-countersign"),
                .product(name: "Transmission", package: "swift-countersign"),
            ])
    ],
    swiftLanguageModes: [.v6]
)
