// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

/// @notice What a wallet asks of a bridge adapter. Recipient and refund address are the wallet itself: the caller.
/// @param token What is carried, always an ERC-20.
/// @param amount What the adapter takes from the caller, to the last unit.
/// @param destinationChainId Where it goes, to the caller's address.
/// @param destinationToken What has to arrive there.
/// @param minimum The least that has to arrive, in the destination token's smallest unit.
/// @param owner Whose signature moves what cannot be carried.
struct BridgeRequest {
    address token;
    uint256 amount;
    uint256 destinationChainId;
    address destinationToken;
    uint256 minimum;
    address owner;
}
