// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Reports",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "swift-countersign", path: "../../..", traits: [])
    ],
    targets: [
        .executableTarget(
            name: "reports",
            dependencies: [
                .product(name: "Keycloak", package: "swift-countersign"),
                .product(
                    name: "CountersignAsyncHTTPClient",
                    package: "swift-countersign"),
            ])
    ]
)

// The package of README.md: a client of one server that uses neither the mock nor the command, and does not resolve their dependencies.
