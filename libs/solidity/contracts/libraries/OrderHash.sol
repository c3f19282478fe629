// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

import {Order} from "../types/Order.sol";

/// @notice Ids of orders.
library OrderHash {
    /// @notice The order's id in this escrow; the order itself names both of its chains.
    function id(Order calldata order, address escrow) internal pure returns (bytes32) {
        return keccak256(abi.encode(escrow, order));
    }
}
