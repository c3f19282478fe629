// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

/// @notice Request of a wallet to a bridge adapter. Recipient and refund address are the wallet: the caller.
/// @param token Token to bridge, always an ERC-20.
/// @param amount Exact amount that the adapter takes from the caller.
/// @param destinationChainId Chain on which the caller's address receives it.
/// @param destinationToken Token to arrive there.
/// @param minimum Minimum to arrive, in the destination token's smallest unit.
/// @param owner Account whose signature moves funds that cannot be bridged.
struct BridgeRequest {
    address token;
    uint256 amount;
    uint256 destinationChainId;
    address destinationToken;
    uint256 minimum;
    address owner;
}
