import Countersign
import Logging
import SAPMobileServices
import TestTurns
import Testing

/// The label of the logger that applications put into the configuration of a session.
@Suite(.computes) struct LoggerLabelTests {
    @Test func `M6 the landscape's logger has the label of the SDK's`() {
        #expect(Landscape.sapMobileServices.logger.label == "SAP.Foundation.Authentication")
    }
}
