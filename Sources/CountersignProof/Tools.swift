#if !Tools
#error("Enable the trait 'Tools' of swift-countersign: without it the packages that this module needs are not resolved.")
#endif
