public import CountersignSAP
public import Foundation

extension SAPcpmsSettingsParameters {
    /// Where the role service says who the user is.
    public var roleServiceURL: URL {
        backendURL.appending(path: "mobileservices/application").appending(component: applicationID)
            .appending(path: "roleservice/application").appending(component: applicationID).appending(path: "v2/Me")
    }
}

extension SAPcpmsUserRoles {
    /// Makes a client of the role service at the server of the settings.
    public convenience init(sapURLSession: SAPURLSession, settingsParameters: SAPcpmsSettingsParameters) {
        self.init(sapURLSession: sapURLSession, roleServiceUrl: settingsParameters.roleServiceURL)
    }
}
