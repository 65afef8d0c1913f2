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
            ProgramSlot("servers", .parameter), ProgramSlot("tokenServers", .parameter), ProgramSlot("user", .parameter),
            ProgramSlot("password", .parameter, isSecret: true), ProgramSlot("realm", .challenge),
            ProgramSlot("service", .challenge), ProgramSlot("scope", .challenge),
            ProgramSlot("token", .credential, isSecret: true), ProgramSlot("lifetime", .credential),
        ],
        challenges: [
            ChallengePattern(
                name: "token", statuses: [401], schemes: [ChallengePattern.Scheme("Bearer")],
                captures: [
                    ChallengePattern.Capture(slot: 4, from: .parameter("realm"), as: .url(within: [.response, .slot(1)])),
                    ChallengePattern.Capture(slot: 5, from: .parameter("service"), isOptional: true),
                    ChallengePattern.Capture(slot: 6, from: .parameter("scope"), isOptional: true),
                ])
        ],
        credential: CredentialShape(
            fields: [CredentialShape.Field(slot: 7), CredentialShape.Field(slot: 8)],
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
                                name: "answer 1", statuses: [200],
                                captures: [
                                    ChallengePattern.Capture(slot: 7, from: .json(["/token", "/access_token"])),
                                    ChallengePattern.Capture(
                                        slot: 8, from: .json(["/expires_in"]), as: .seconds, fallback: "60"),
                                ])),
                        HTTPCall.Answer(ChallengePattern(name: "answer 2", statuses: [401, 403]), isRefusal: true),
                    ]))
        ],
        attach: [.header("Authorization", ProgramTemplate(.text("Bearer "), .slot(7)))], rejections: [RejectionRule(.acquire)])

    func value(at slot: Int) -> ProgramValue {
        switch slot {
        case 0: .origins(servers)
        case 1: .origins(tokenServers)
        case 2: user.map { .text($0) } ?? .absent
        case 3: password.map { .secret($0) } ?? .absent
        default: .absent
        }
    }
}
