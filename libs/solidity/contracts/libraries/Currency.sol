// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {SafeTransferLib} from "solady/utils/SafeTransferLib.sol";

/// @notice ERC-20 tokens and the native currency (the zero address) behind one face. Amounts in the smallest unit.
library Currency {
    address internal constant NATIVE = address(0);

    /// @notice Less arrived than was promised.
    error BelowMinimum(uint256 output, uint256 minimum);

    function balanceOf(address currency, address account) internal view returns (uint256) {
        return currency == NATIVE ? account.balance : IERC20(currency).balanceOf(account);
    }

    function transfer(address currency, address to, uint256 amount) internal {
        if (currency == NATIVE) {
            Address.sendValue(payable(to), amount);
        } else {
            SafeERC20.safeTransfer(IERC20(currency), to, amount);
        }
    }

    /// @notice Transfers or says that it could not. Native currency goes with bounded gas, so that the receiver
    /// cannot burn what the rest of the transaction needs.
    function tryTransfer(address currency, address to, uint256 amount) internal returns (bool) {
        if (currency == NATIVE) {
            return SafeTransferLib.trySafeTransferETH(to, amount, SafeTransferLib.GAS_STIPEND_NO_GRIEF);
        }
        return SafeERC20.trySafeTransfer(IERC20(currency), to, amount);
    }

    /// @notice Pays in one transfer and counts what came of it, which has to reach the minimum.
    /// @dev Both what was sent and what the recipient gained have to reach it: a balance can be raised by a payout
    /// nested in the transfer, and a token can deliver less than was sent. Native currency arrives as sent, and its
    /// recipient may pass it on at once, so there the sum sent is the count.
    /// @return output The lower of the sum sent and the recipient's gain.
    function payOut(address currency, address to, uint256 amount, uint256 minimum) internal returns (uint256 output) {
        output = amount;
        if (currency == NATIVE) {
            if (amount != 0) Address.sendValue(payable(to), amount);
        } else if (amount != 0) {
            uint256 before = IERC20(currency).balanceOf(to);
            SafeERC20.safeTransfer(IERC20(currency), to, amount);
            uint256 afterwards = IERC20(currency).balanceOf(to);
            uint256 gain = afterwards > before ? afterwards - before : 0;
            if (gain < output) output = gain;
        }
        if (output < minimum) revert BelowMinimum(output, minimum);
    }
}
