// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

/// @notice Part of Circle's Cross-Chain Transfer Protocol (CCTP), version 2, that the adapter calls.
interface ITokenMessengerV2 {
    /// @notice Burns the caller's tokens to have them minted on the destination domain, less a fee.
    /// @param destinationCaller Account that may submit the message there; zero for anyone.
    /// @param maxFee Maximum fee deducted there, less than the amount.
    /// @param minFinalityThreshold 1000 for confirmed, 2000 for finalised blocks.
    function depositForBurn(
        uint256 amount,
        uint32 destinationDomain,
        bytes32 mintRecipient,
        address burnToken,
        bytes32 destinationCaller,
        uint256 maxFee,
        uint32 minFinalityThreshold
    ) external;
}
