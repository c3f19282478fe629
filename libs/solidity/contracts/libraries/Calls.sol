// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {LowLevelCall} from "@openzeppelin/contracts/utils/LowLevelCall.sol";
import {Call} from "../types/Declaration.sol";

/// @notice Makes calls and reverts on those without effect.
library Calls {
    /// @notice The target has no code, so the call would succeed without effect.
    error TargetWithoutCode(address target);
    /// @notice A call reverted without a reason.
    error CallFailed(address target);
    /// @notice A token returned false instead of reverting.
    error TransferReturnedFalse(address token);

    function run(Call[] calldata calls) internal {
        for (uint256 i = 0; i < calls.length; i++) {
            _run(calls[i]);
        }
    }

    function _run(Call calldata call) private {
        address target = call.target;
        if (call.data.length != 0 && target.code.length == 0) revert TargetWithoutCode(target);

        (bool success, bytes32 result,) = LowLevelCall.callReturn64Bytes(target, call.value, call.data);
        uint256 resultSize = LowLevelCall.returnDataSize();
        if (!success) {
            if (resultSize == 0) revert CallFailed(target);
            LowLevelCall.bubbleRevert();
        }
        // A token may return nothing; a returned value must be true.
        if (_isTransfer(call.data) && resultSize != 0 && (resultSize < 32 || uint256(result) != 1)) {
            revert TransferReturnedFalse(target);
        }
    }

    function _isTransfer(bytes calldata data) private pure returns (bool) {
        if (data.length < 4) return false;
        bytes4 selector = bytes4(data[:4]);
        return selector == IERC20.transfer.selector || selector == IERC20.transferFrom.selector;
    }
}
