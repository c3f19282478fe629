// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

/// @notice Outcome of an order on its destination chain.
enum Outcome {
    Unknown,
    Filled,
    Unfilled
}

/// @notice Reports outcomes of orders on other chains, from final blocks. An outcome never changes.
interface IFillOracle {
    /// @return outcome `Unfilled` only once the order can no longer be filled.
    /// @return filler Account that is owed the order's input when filled.
    function outcomeOf(bytes32 orderId) external view returns (Outcome outcome, address filler);
}
