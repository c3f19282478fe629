// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

/// @notice Money that waits in the escrow of its origin chain for whoever delivers on the destination chain.
/// @param wallet Whose money it was; it may take a refund by a call.
/// @param owner May take a refund by a signed text.
/// @param inputAmount What whoever fills the order earns, in the input token's smallest unit.
/// @param recipient Who is paid on the destination chain.
/// @param minimum The least that the recipient gets, in the output token's smallest unit.
/// @param nonce Makes the order one of its kind in its escrow.
/// @param fillDeadline The last second, in unix time of the destination chain, in which it can be filled.
/// @param expires Unix time of the origin chain from which it is refundable although nobody said that it was not filled.
/// @param oracle Whom the escrow believes about what happened on the destination chain.
struct Order {
    address wallet;
    address owner;
    uint256 originChainId;
    address inputToken;
    uint256 inputAmount;
    uint256 destinationChainId;
    address outputToken;
    address recipient;
    uint256 minimum;
    uint256 nonce;
    uint256 fillDeadline;
    uint256 expires;
    address oracle;
}

/// @notice What the owner's text says about a refund. Where it goes is nobody else's choice.
/// @param recipient Gets the order's input, less the fee.
/// @param feeReceiver Gets the fee.
/// @param fee In the input token's smallest unit.
/// @param validUntil Unix time in seconds from which the text is worth nothing.
struct RefundInstruction {
    address recipient;
    address feeReceiver;
    uint256 fee;
    uint256 validUntil;
}
