// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

import {BridgeRequest} from "../types/BridgeRequest.sol";

/// @notice Carries tokens of its caller to the caller's own address on another chain. A declaration names the adapters
/// that its wallet trusts.
interface IBridgeAdapter {
    /// @notice Takes exactly the amount from the caller, who has allowed just that.
    function bridge(BridgeRequest calldata request) external;
}
