import Foundation
import TestTurns
import Testing

@testable import CountersignCLI

/// The user's home folder, and the folders below it.
@Suite(.computes) struct HomeFolderTests {
    @Test func `HOME is the home folder, as in a shell`() {
        let environment = ["HOME": "/h"]
        #expect(HomeFolder.url(environment).path == "/h")
        #expect(HomeFolder.expanding("~/key", environment) == "/h/key")
        #expect(HomeFolder.expanding("/a/~/b", environment) == "/a/~/b")
        #expect(ProfileFile.usualPath(environment) == "/h/.config/countersign/profiles.yaml")
        #expect(ClientStore.folder(environment).path == "/h/.local/share/countersign/profiles")
        #expect(OnboardStore.defaultFolder(environment).path == "/h/.local/share/countersign/onboarding")
    }

    @Test(arguments: [[:], ["HOME": ""], ["HOME": "h"]])
    func `without a usable HOME it is the one of the user`(environment: [String: String]) {
        #expect(HomeFolder.url(environment) == FileManager.default.homeDirectoryForCurrentUser)
    }

    @Test func `the folders of the desktop take precedence`() {
        let environment = ["HOME": "/h", "XDG_CONFIG_HOME": "/c", "XDG_DATA_HOME": "/d"]
        #expect(ProfileFile.usualPath(environment) == "/c/countersign/profiles.yaml")
        #expect(ClientStore.folder(environment).path == "/d/countersign/profiles")
    }
}
