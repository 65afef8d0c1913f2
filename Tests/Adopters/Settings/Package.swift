// swift-tools-version: 6.2
import PackageDescription

// Landscapes in packages with other compiler settings than this one. A warning in generated code is an error here.
let countersign: [Target.Dependency] = [
    .product(name: "SAPMobileServices", package: "swift-countersign"),
    .product(name: "CountersignSAP", package: "swift-countersign"),
]
let plugin: [Target.PluginUsage] = [.plugin(name: "CountersignPlugin", package: "swift-countersign")]

let package = Package(
    name: "Settings",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "swift-countersign", path: "../../..")],
    targets: [
        .target(
            name: "SwiftFive", dependencies: countersign,
            swiftSettings: [.swiftLanguageMode(.v5), .treatAllWarnings(as: .error)], plugins: plugin),
        .target(
            name: "SwiftFiveComplete", dependencies: countersign,
            swiftSettings: [
                .swiftLanguageMode(.v5), .enableUpcomingFeature("StrictConcurrency"), .treatAllWarnings(as: .error),
            ], plugins: plugin),
        .target(
            name: "MainActorByDefault", dependencies: countersign,
            swiftSettings: [.defaultIsolation(MainActor.self), .treatAllWarnings(as: .error)], plugins: plugin),
        .target(
            name: "EveryUpcomingFeature", dependencies: countersign,
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
                .enableUpcomingFeature("InferIsolatedConformances"),
                .enableUpcomingFeature("ImmutableWeakCaptures"),
                .strictMemorySafety(),
                .treatAllWarnings(as: .error),
            ], plugins: plugin),
    ],
    swiftLanguageModes: [.v6]
)
