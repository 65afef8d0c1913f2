// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Loans",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(
            url: "https://github.com/OWNER/swift-countersign",
            from: "0.1.0")
    ],
    targets: [
        .target(
            name: "CityLibrary",
            dependencies: [
                .product(
                    name: "CountersignFoundation",
                    package: "swift-countersign")
            ],
            plugins: [
                .plugin(
                    name: "CountersignPlugin",
                    package: "swift-countersign")
            ]),
        .executableTarget(
            name: "loans",
            dependencies: [
                "CityLibrary",
                .product(
                    name: "CountersignTesting",
                    package: "swift-countersign"),
            ]),
    ]
)
