// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

import {BridgeRequest} from "../types/BridgeRequest.sol";

/// @notice Bridges the caller's tokens to the caller's own address on another chain. A declaration names the adapters
/// that its wallet trusts.
interface IBridgeAdapter {
    /// @notice Pulls exactly the amount from the caller, which has approved just that.
    function bridge(BridgeRequest calldata request) external;
}
