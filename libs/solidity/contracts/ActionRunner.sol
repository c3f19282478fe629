// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {IConverter} from "./interfaces/IConverter.sol";
import {Calls} from "./libraries/Calls.sol";
import {Currency} from "./libraries/Currency.sol";
import {Call, Leg} from "./types/Declaration.sol";

/// @notice Implementation of every runner: a runner is a clone whose only immutable argument is its wallet. It makes the
/// custom calls of the wallet's last leg with the leg's output. Allowances that calls leave concern this runner alone,
/// which is empty after its run.
contract ActionRunner is IConverter, ReentrancyGuardTransient {
    using Calls for Call[];
    using Currency for address;

    /// @notice The caller is not this runner's wallet.
    error NotWallet();

    /// @notice Accepts native currency from anyone.
    receive() external payable {}

    /// @notice Makes the calls, then sends what is left of the leg's output, its input and native currency to the
    /// recipient. Wallet only: with the leg, or later as the owner signed.
    /// @dev Only the output's remainder has to arrive: anyone can send a little of the others here, which a destination
    /// may refuse, and the leg must not depend on that. What cannot be sent stays for calls that the owner signs.
    /// @return output Remainder sent, in the output token's smallest unit.
    function convert(Leg calldata leg, address recipient, Call[] calldata calls)
        external
        payable
        nonReentrant
        returns (uint256 output)
    {
        if (msg.sender != abi.decode(Clones.fetchCloneArgs(address(this)), (address))) revert NotWallet();
        calls.run();
        output = leg.outputToken.balanceOf(address(this));
        if (output != 0) leg.outputToken.transfer(recipient, output);
        _trySend(leg.inputToken, recipient);
        _trySend(Currency.NATIVE, recipient);
    }

    function _trySend(address currency, address recipient) private {
        uint256 rest = currency.balanceOf(address(this));
        if (rest != 0) currency.tryTransfer(recipient, rest);
    }
}
