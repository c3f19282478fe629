// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

import {Call, Leg} from "../types/Declaration.sol";

/// @notice Turns one token into another by whatever calls meet the minimum.
interface IConverter {
    /// @notice Runs with the input that the caller has sent just before (native currency: with the call). Of the leg it
    /// reads the two tokens, the minimum and the custom calls, which are made once the output has reached the minimum.
    /// @param recipient Gets all of the output token, in one transfer.
    /// @param calls The route: any calls.
    /// @return output What was counted against the minimum, in the output token's smallest unit: with custom calls the
    /// output before them, otherwise what the recipient got.
    function convert(Leg calldata leg, address recipient, Call[] calldata calls)
        external
        payable
        returns (uint256 output);
}
