// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Parcels",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "swift-countersign", path: "../../..")
    ],
    targets: [
        .target(
            name: "ParcelAPI",
            dependencies: [
                .product(name: "Countersign", package: "swift-countersign")
            ],
            plugins: [
                .plugin(name: "CountersignPlugin", package: "swift-countersign")
            ]),
        .executableTarget(
            name: "parcels",
            dependencies: [
                "ParcelAPI",
                .product(
                    name: "CountersignAsyncHTTPClient",
                    package: "swift-countersign"),
            ]),
        .testTarget(
            name: "ParcelAPITests",
            dependencies: [
                "ParcelAPI",
                .product(
                    name: "CountersignAsyncHTTPClient",
                    package: "swift-countersign"),
                .product(
                    name: "CountersignTesting", package: "swift-countersign"),
            ]),
    ]
)
