// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

import {Call, Leg} from "../types/Declaration.sol";

/// @notice Converts one token into another by any calls that reach the minimum.
interface IConverter {
    /// @notice Converts the input that the caller sent just before (native currency: with the call). Reads both tokens
    /// and the minimum from the leg.
    /// @param recipient Receives all of the output token, in one transfer.
    /// @param calls Route of the conversion: any calls.
    /// @return output Amount that the recipient received, at least the minimum, in the output token's smallest unit.
    function convert(Leg calldata leg, address recipient, Call[] calldata calls)
        external
        payable
        returns (uint256 output);
}
