// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IHook} from "../support/Tokens.sol";

/// @notice Makes its armed call once per transaction, wherever it gets control. Swallows failures, so that the rest of
/// the transaction continues; its log marks the logs that were reverted.
contract Intruder is IHook {
    event Struck();
    event Missed();

    address private _target;
    bytes private _data;
    /// @notice Number of calls that took effect, by the account that gave control.
    mapping(address from => uint256) public strikes;

    function arm(address target, bytes calldata data) external {
        (_target, _data) = (target, data);
    }

    function strike() public {
        bytes memory data = _data;
        if (data.length == 0) return;
        delete _data;
        emit Struck();
        (bool success,) = _target.call(data);
        if (success) strikes[msg.sender]++;
        else emit Missed();
    }

    function onTransfer(address, address, uint256) external {
        strike();
    }

    receive() external payable {
        strike();
    }
}
