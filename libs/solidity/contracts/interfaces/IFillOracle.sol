// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

/// @notice What is known about an order on its destination chain.
enum Outcome {
    Unknown,
    Filled,
    Unfilled
}

/// @notice Tells an escrow what happened on other chains, from blocks that stay, once and for all.
interface IFillOracle {
    /// @return outcome `Unfilled` only once the order can be filled no more.
    /// @return filler Who is owed the order's input when it was filled.
    function outcomeOf(bytes32 orderId) external view returns (Outcome outcome, address filler);
}
