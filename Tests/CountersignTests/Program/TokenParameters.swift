import Foundation

@testable import Countersign

/// A method whose challenge names a token server, the service and the scope, as container registries do.
struct TokenParameters: ProgramParameters {
    var servers: ProtectedOrigins
    var tokenServers: ProtectedOrigins
    var user: String?
    var password: String?

    static let program = MethodProgram(
        name: "Token", summary: "A token for each scope.",
        slots: [
            .parameter("servers"), .parameter("tokenServers"), .parameter("user"),
            .parameter("password", isSecret: true), .challenge("realm"),
            .challenge("service"), .challenge("scope"),
            .credential("token", isSecret: true), .credential("lifetime"),
        ],
        challenges: [
            ChallengePattern(
                "token", statuses: [401], schemes: [ChallengePattern.Scheme("Bearer")],
                captures: [
                    .slot(4, from: .parameter("realm"), as: .url(within: [.response, .slot(1)])),
                    .slot(5, from: .parameter("service"), isOptional: true),
                    .slot(6, from: .parameter("scope"), isOptional: true),
                ])
        ],
        credential: CredentialShape(
            fields: [.slot(7), .slot(8)],
            separators: [ProgramTemplate(.slot(4)), ProgramTemplate(.slot(5)), ProgramTemplate(.slot(6))], space: .directory,
            lifetime: 8, destinations: [0]),
        acquire: [
            .http(
                HTTPCall(
                    "GET", ProgramTemplate(.slot(4)),
                    query: [
                        HTTPCall.Member("service", ProgramTemplate(.slot(5))), HTTPCall.Member("scope", ProgramTemplate(.slot(6))),
                    ],
                    login: HTTPCall.Login(user: ProgramTemplate(.slot(2)), password: ProgramTemplate(.slot(3))),
                    answers: [
                        HTTPCall.Answer(
                            ChallengePattern(
                                "answer 1", statuses: [200],
                                captures: [
                                    .slot(7, from: .json(["/token", "/access_token"])),
                                    .slot(8, from: .json(["/expires_in"]), as: .seconds, fallback: "60"),
                                ])),
                        HTTPCall.Answer(ChallengePattern("answer 2", statuses: [401, 403]), isRefusal: true),
                    ]))
        ],
        attach: [.header("Authorization", ProgramTemplate(.text("Bearer "), .slot(7)))], rejections: [RejectionRule(.acquire)])

    var slotValues: [ProgramValue] {
        [
            .origins(servers),
            .origins(tokenServers),
            user.map { .text($0) } ?? .absent,
            password.map { .secret($0) } ?? .absent,
        ]
    }
}
