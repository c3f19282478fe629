// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

import {Order} from "../types/Order.sol";

/// @notice Ids of orders.
library OrderHash {
    /// @notice Id of an order in this escrow; the order itself names both chains.
    function id(Order calldata order, address escrow) internal pure returns (bytes32) {
        return keccak256(abi.encode(escrow, order));
    }
}
