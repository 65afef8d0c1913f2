public import Countersign

extension ConfigurationError: SAPError {}
