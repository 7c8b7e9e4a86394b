// SPDX-License-Identifier: Apache-2.0

// The calls of this library take and return values, requests and conditions, so a program imports one module.
@_exported public import Services
