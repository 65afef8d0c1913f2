public import Countersign

extension OAuth2ServerError: SAPError {}
