// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IHook} from "../support/Tokens.sol";

/// @notice Once in a transaction, wherever it is given control, makes the call that it was armed with. It does not pass a
/// failure on, so that the rest goes on as if nothing had been; the log of the failure says which logs have had no effect.
contract Intruder is IHook {
    event Struck();
    event Missed();

    address private _target;
    bytes private _data;
    /// @notice How often its call has had effect, by who gave it control.
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
