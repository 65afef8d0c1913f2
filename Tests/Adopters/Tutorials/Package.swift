// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Loans",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "swift-countersign", path: "../../..")
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
        // Not in the tutorial: an earlier step of the program, and the landscape of the other tutorial.
        .executableTarget(
            name: "LoansUnanswered",
            dependencies: [
                "CityLibrary", .product(name: "CountersignTesting", package: "swift-countersign"),
            ]),
        .target(
            name: "Parcels", dependencies: [.product(name: "Countersign", package: "swift-countersign")],
            plugins: [.plugin(name: "CountersignPlugin", package: "swift-countersign")]),
        // end
    ]
)
