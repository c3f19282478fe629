// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {IConverter} from "./interfaces/IConverter.sol";
import {Calls} from "./libraries/Calls.sol";
import {Currency} from "./libraries/Currency.sol";
import {Call, Leg} from "./types/Declaration.sol";

/// @notice Runs conversions, one at a time; one instance serves all wallets of a chain. Empty between transactions:
/// anyone can take a remainder. Makes arbitrary calls, so never grant it an allowance.
contract Converter is IConverter, ReentrancyGuardTransient {
    using Calls for Call[];
    using Currency for address;

    receive() external payable {}

    /// @inheritdoc IConverter
    function convert(Leg calldata leg, address recipient, Call[] calldata calls)
        external
        payable
        nonReentrant
        returns (uint256 output)
    {
        calls.run();
        (address inputToken, address outputToken) = (leg.inputToken, leg.outputToken);
        output = outputToken.payOut(recipient, outputToken.balanceOf(address(this)), leg.minOutput);
        if (inputToken == outputToken) return output;
        uint256 rest = inputToken.balanceOf(address(this));
        if (rest != 0) inputToken.transfer(msg.sender, rest);
    }
}
