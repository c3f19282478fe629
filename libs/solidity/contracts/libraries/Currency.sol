// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {SafeTransferLib} from "solady/utils/SafeTransferLib.sol";

/// @notice One interface for ERC-20 tokens and native currency (the zero address). Amounts in the smallest unit.
library Currency {
    address internal constant NATIVE = address(0);

    /// @notice Less than the minimum arrived.
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

    /// @notice Transfers, or returns false on failure. Native currency is sent with bounded gas, so that the receiver
    /// cannot burn the gas of the remaining transaction.
    function tryTransfer(address currency, address to, uint256 amount) internal returns (bool) {
        if (currency == NATIVE) {
            return SafeTransferLib.trySafeTransferETH(to, amount, SafeTransferLib.GAS_STIPEND_NO_GRIEF);
        }
        return SafeERC20.trySafeTransfer(IERC20(currency), to, amount);
    }

    /// @notice Pays in one transfer and reverts when the counted output is below the minimum.
    /// @dev Both the amount sent and the recipient's gain must reach it: a payout nested in the transfer can raise a
    /// balance, and a token can deliver less than was sent. Native currency counts as sent, because its recipient may
    /// forward it at once.
    /// @return output The lower of the amount sent and the recipient's gain.
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
