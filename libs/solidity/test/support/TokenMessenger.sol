// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {ITokenMessengerV2} from "../../contracts/interfaces/ITokenMessengerV2.sol";
import {TestToken} from "./Tokens.sol";

contract BurnableToken is TestToken {
    function burn(address account, uint256 amount) external {
        _burn(account, amount);
    }
}

/// @notice CCTP messenger with the interface and checks of version 2: takes, burns and emits the message.
contract TokenMessenger is ITokenMessengerV2 {
    event DepositForBurn(
        address indexed burnToken,
        uint256 amount,
        address indexed depositor,
        bytes32 mintRecipient,
        uint32 destinationDomain,
        bytes32 destinationTokenMessenger,
        bytes32 destinationCaller,
        uint256 maxFee,
        uint32 indexed minFinalityThreshold,
        bytes hookData
    );

    function depositForBurn(
        uint256 amount,
        uint32 destinationDomain,
        bytes32 mintRecipient,
        address burnToken,
        bytes32 destinationCaller,
        uint256 maxFee,
        uint32 minFinalityThreshold
    ) external {
        require(amount > 0, "Amount must be nonzero");
        require(mintRecipient != bytes32(0), "Mint recipient must be nonzero");
        require(maxFee < amount, "Max fee must be less than amount");
        BurnableToken(burnToken).transferFrom(msg.sender, address(this), amount);
        BurnableToken(burnToken).burn(address(this), amount);
        emit DepositForBurn(
            burnToken,
            amount,
            msg.sender,
            mintRecipient,
            destinationDomain,
            bytes32(uint256(uint160(address(this)))),
            destinationCaller,
            maxFee,
            minFinalityThreshold,
            ""
        );
    }
}
